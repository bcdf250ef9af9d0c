"""What happened, in order, in words that are the same for every run of one seed."""

import hashlib
import re
from collections import deque
from collections.abc import Callable
from typing import IO, Final

_NAME: Final = re.compile(r"\b[umth]_[0-9a-f]{20}\b")


class Trace:
    """Collects lines; ``time`` says how many seconds have passed."""

    def __init__(self, time: Callable[[], float], file: IO[str] | None = None) -> None:
        self._time = time
        self._file = file
        self._hash = hashlib.sha256()
        self._names: dict[str, str] = {}
        self.last: deque[str] = deque(maxlen=60)
        self.lines = 0

    def say(self, who: str, what: str) -> None:
        """Add a line."""
        line = f"{self._time():12.6f} {who:<4} {_NAME.sub(self._short, what)}"
        self._hash.update(line.encode())
        self.last.append(line)
        self.lines += 1
        if self._file is not None:
            self._file.write(line + "\n")

    @property
    def digest(self) -> str:
        """Return a hash of every line so far."""
        return self._hash.hexdigest()[:16]

    def _short(self, found: re.Match[str]) -> str:
        """Number ids in the order in which they turn up."""
        return self._names.setdefault(found[0], f"{found[0][0]}{len(self._names) + 1}")
