"""Live updates: what happens, told to whoever watches, as it is committed (API.md 5.3)."""
