"""What happened at the tables."""
