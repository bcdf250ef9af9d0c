"""A local best response to River, after Lisý and Bowling (2017). See `services.bot.lbr.cli`."""
