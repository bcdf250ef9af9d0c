"""The table: matches, identity and HTTP."""
