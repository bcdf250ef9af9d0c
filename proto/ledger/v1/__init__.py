"""Reads of the ledger, version 1."""
