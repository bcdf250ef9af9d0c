"""``python -m services.bot.lbr --streets river --sizes in-tree --hands 1000``."""

import sys

from services.bot.lbr.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
