"""The four services and what they share."""
