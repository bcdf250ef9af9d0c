"""Which kind of program a session was last used with, for the list of one's sessions.

Only the family is kept ("Firefox on Windows"): enough to recognise a device, too little to
track one.
"""

from typing import Final

UNKNOWN: Final = "Unknown"

# The first that is found counts: most browsers also claim to be others.
_PROGRAMS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
    ("curl", "curl"),
    ("python", "Python"),
    ("okhttp", "Android app"),
    ("CFNetwork", "Apple app"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def agent_family(user_agent: str | None) -> str:
    """Return the family of a User-Agent header, such as ``Firefox on Windows``."""
    text = user_agent or ""
    program = _first(_PROGRAMS, text) or UNKNOWN
    system = _first(_SYSTEMS, text)
    return program if system is None else f"{program} on {system}"


def _first(names: tuple[tuple[str, str], ...], text: str) -> str | None:
    return next((name for mark, name in names if mark in text), None)
