"""River, the computer opponent, version 1."""
