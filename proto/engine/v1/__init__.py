"""The rules engine, version 1."""
