"""If-Match (RFC 9110): a change names the version that it was made on."""

import re
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Header

from services.gateway.problems import ProblemError, ProblemType

_TAGS: Final = re.compile(r'\s*(?:W/)?"[\x21\x23-\x7e]*"\s*(?:,\s*(?:W/)?"[\x21\x23-\x7e]*"\s*)*')
_TAG: Final = re.compile(r'(W/)?"([\x21\x23-\x7e]*)"')

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=1000,
        description="The ETag that was read; `*` to replace whatever is there. Required.",
        examples=['"3"'],
    ),
]


def etag(revision: int) -> str:
    """Return the entity tag of a revision."""
    return f'"{revision}"'


@dataclass(frozen=True, slots=True)
class Precondition:
    """Which revisions a change may be made on; ``tags`` None: any."""

    tags: frozenset[str] | None

    def allows(self, revision: int) -> bool:
        """Return whether a revision is one that the caller has seen."""
        return self.tags is None or str(revision) in self.tags


def precondition(if_match: str | None) -> Precondition:
    """Read If-Match; raises precondition-required without one.

    Weak tags never match, and neither does what is no tag at all.
    """
    if if_match is None:
        raise ProblemError(ProblemType.PRECONDITION_REQUIRED)
    if if_match.strip() == "*":
        return Precondition(None)
    if _TAGS.fullmatch(if_match) is None:
        return Precondition(frozenset())
    return Precondition(frozenset(tag for weak, tag in _TAG.findall(if_match) if not weak))
