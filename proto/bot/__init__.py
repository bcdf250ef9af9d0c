"""River, the computer opponent."""
