"""The chips: every one accounted for."""
