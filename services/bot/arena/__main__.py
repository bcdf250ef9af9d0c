"""``python -m services.bot.arena --hero river --villain tag --hands 2000``."""

import sys

from services.bot.arena.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
