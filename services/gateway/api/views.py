"""Responses about tables, built from what is stored; the same for a first and a late answer."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.engine import Connection

from services.gateway.commands import Receipt
from services.gateway.driver import Position
from services.gateway.gateway import Gateway
from services.gateway.model import PLAYER_SEAT, LoggedEvent, Scene
from services.gateway.preferences import saved_presets
from services.gateway.preset_sets import PresetSets
from services.gateway.projection import events_json, snapshot_json
from services.gateway.reports import match_json, summary_json
from services.gateway.store import queries

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Known:
    """What a view needs beside the position: the hand's log, newer events, own shortcuts."""

    log: list[LoggedEvent]
    since: list[LoggedEvent]
    sets: PresetSets


class TableViews:
    """Response builders for one gateway."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    async def snapshot(self, position: Position) -> Json:
        """Return the player's snapshot of a table at rest."""
        known = await self._gateway.database.read(_known, position.scene, None)
        return self._snapshot(position, known)

    async def sat_down(self, receipt: Receipt) -> Json:
        """Answer POST /matches."""
        played, scene = await self._played(receipt)
        head = {"match": match_json(scene.match), "table_id": scene.table.table_id}
        return {**head, **played}

    async def played(self, receipt: Receipt) -> Json:
        """Answer next-hand."""
        return (await self._played(receipt))[0]

    async def acted(self, receipt: Receipt) -> Json:
        """Answer an action."""
        played, scene = await self._played(receipt)
        legal = played["snapshot"]["legal"]
        return {"version": scene.table.version, "legal": legal, **played}

    async def topped_up(self, receipt: Receipt) -> Json:
        """Answer a top-up."""
        played, scene = await self._played(receipt)
        added = [event for event in played["events"] if event["type"] == "stack.topped_up"]
        return {
            "stack": added[0]["data"]["stack"],
            "added": added[0]["data"]["added"],
            "total_buy_in": scene.match.total_buy_in_chips,
            "snapshot": played["snapshot"],
        }

    async def settled(self, receipt: Receipt) -> Json:
        """Answer a settlement; needs no engine."""
        scene = await self._gateway.driver.load(receipt["table_id"])
        return {"summary": summary_json(scene.match, self._gateway.clock())}

    async def _played(self, receipt: Receipt) -> tuple[Json, Scene]:
        position = await self._gateway.driver.settle_down(receipt["table_id"])
        scene = position.scene
        known = await self._gateway.database.read(_known, scene, receipt["since"])
        snapshot = self._snapshot(position, known)
        return {"snapshot": snapshot, "events": events_json(known.since, PLAYER_SEAT)}, scene

    def _snapshot(self, position: Position, known: _Known) -> Json:
        return snapshot_json(
            position.scene, position.snapshot, known.log, known.sets, self._gateway.clock()
        )


def _known(connection: Connection, scene: Scene, since: int | None) -> _Known:
    """Return the hand's events and those behind ``since``, none newer than the scene."""
    last = scene.table.last_seq
    log = queries.load_hand_events(connection, scene.hand.hand_id)
    newer = [] if since is None else queries.load_events(connection, scene.table.table_id, since)
    return _Known(
        log=[item for item in log if item.seq <= last],
        since=[item for item in newer if item.seq <= last],
        sets=saved_presets(connection, scene.match.user_id).sets,
    )
