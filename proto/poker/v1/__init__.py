"""The vocabulary of the game, version 1."""
