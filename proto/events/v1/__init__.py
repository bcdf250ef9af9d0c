"""What happened at the tables, version 1."""
