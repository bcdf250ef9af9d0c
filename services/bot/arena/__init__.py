"""The arena: duplicate matches between two players, heads-up. See `services.bot.arena.cli`."""
