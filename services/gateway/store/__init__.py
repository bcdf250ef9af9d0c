"""What the gateway keeps, on SQLite and PostgreSQL alike."""
