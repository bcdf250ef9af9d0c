"""Replays recorded hands through the rules, to prove that they agree with real tables."""
