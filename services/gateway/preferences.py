"""What people chose for themselves, as the gateway uses it.

Saved texts outlive releases. What this release cannot read (a newer one wrote it, and was
rolled back) counts as not chosen, because nobody's table may break over a shortcut.
"""

from dataclasses import dataclass

from sqlalchemy.engine import Connection

from services.common.logs import get_logger
from services.gateway import preset_sets
from services.gateway.preset_sets import DEFAULTS, PresetSets
from services.gateway.store import preferences
from services.gateway.store.preferences import Kind, Saved

_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SavedPresets:
    """A person's shortcuts and the revision that they are; ``customised`` unless defaults."""

    revision: int
    sets: PresetSets
    customised: bool


def saved_presets(connection: Connection, user_id: str) -> SavedPresets:
    """Return a person's shortcuts."""
    return presets_of(preferences.load(connection, user_id, Kind.BET_PRESETS))


def presets_of(saved: Saved) -> SavedPresets:
    """Read what is saved about shortcuts."""
    if saved.body is None:
        return SavedPresets(saved.revision, DEFAULTS, customised=False)
    try:
        return SavedPresets(saved.revision, preset_sets.from_text(saved.body), customised=True)
    except ValueError:
        _log.warning("saved presets are unreadable", revision=saved.revision)
        return SavedPresets(saved.revision, DEFAULTS, customised=False)
