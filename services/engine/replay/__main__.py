"""``python -m services.engine.replay FILE… [--target HOST:PORT] [--scenarios FILE]``.

Exit status: 0 when everything agrees, 1 when something differs, 2 when an input cannot be
read, 3 when the engine does not answer.
"""

import sys

from services.engine.replay.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
