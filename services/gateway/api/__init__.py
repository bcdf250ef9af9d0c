"""The HTTP interface of the gateway (API.md 5.2)."""
