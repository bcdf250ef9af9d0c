"""No-limit Texas Hold'em: the complete rules for 2-9 players, pure and typed."""
