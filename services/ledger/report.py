"""What an audit reports."""

import json
from dataclasses import asdict, dataclass, field

MAX_FINDINGS = 20
"""Findings spelled out; more are only counted."""


@dataclass(slots=True)
class Report:
    """What an audit saw; ``findings`` is empty when all is well.

    ``dead_letters`` are those that were not replayed; ``unknown`` says what could not be told
    from what the audit was given.
    """

    events: int = 0
    transfers: int = 0
    matches: int = 0
    standings: int = 0
    chips_on_tables: int = 0
    dead_letters: int = 0
    finding_count: int = 0
    findings: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return self.finding_count == 0

    def find(self, text: str) -> None:
        """Add a finding."""
        self.finding_count += 1
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(text)

    def to_json(self) -> str:
        """Return the report as one line."""
        return json.dumps({"ok": self.ok, **asdict(self)})
