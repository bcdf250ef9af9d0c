"""What a run counts, and the line it ends with."""

import json
from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """Hands read = ``replayed`` + skipped; ``mismatches`` are replayed hands that differ."""

    replayed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    mismatches: int = 0

    @property
    def hands(self) -> int:
        """All hands read."""
        return self.replayed + self.skipped.total()

    def line(self) -> str:
        """Return the run as one JSON object."""
        return json.dumps(
            {
                "hands": self.hands,
                "replayed": self.replayed,
                "skipped": dict(sorted(self.skipped.items())),
                "mismatches": self.mismatches,
            }
        )
