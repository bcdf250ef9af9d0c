"""Everything that is kept about a person, as a zip file of JSON they can take away.

Hands are as their player may see them: through the same projection as on the screen.
"""

import asyncio
import json
import zipfile
from collections.abc import AsyncIterator
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from sqlalchemy.engine import Connection

from services.gateway.driver import Clock
from services.gateway.history import History
from services.gateway.model import Match, User
from services.gateway.projection import hand_json
from services.gateway.reports import match_json, summary_json, time_text
from services.gateway.store import accounts, preferences, queries, sessions, tokens, users
from services.gateway.store.database import Database
from services.gateway.store.preferences import Kind

PAGE: Final = 50
MEMORY_BYTES: Final = 1 << 20
"""What is larger than this goes to a file while it is put together."""


class Exporter:
    """Puts archives together, a page of hands at a time."""

    def __init__(self, database: Database, history: History, clock: Clock) -> None:
        self._database = database
        self._history = history
        self._clock = clock

    async def archive(self, user: User) -> IO[bytes]:
        """Return a zip file, at its beginning; the caller closes it.

        In it: ``profile.json``, ``settings.json``, ``matches.json`` and a file of hands a
        match. Raises EngineUnavailableError when old hands cannot be told.
        """
        file: IO[bytes] = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115  # the caller closes
        try:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                await self._fill(archive, user)
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return file

    async def _fill(self, archive: zipfile.ZipFile, user: User) -> None:
        now = self._clock()

        async def add(name: str, body: Any) -> None:  # noqa: ANN401  # whatever JSON can hold
            text = json.dumps(body, ensure_ascii=False, indent=1)
            await asyncio.to_thread(archive.writestr, _entry(name, now), text)

        await add("profile.json", await self._database.write(_profile_json, user, self._clock))
        await add("settings.json", await self._database.read(_settings_json, user))
        matches = [match async for match in self._matches(user)]
        await add(
            "matches.json", [{**match_json(m), "summary": summary_json(m, now)} for m in matches]
        )
        for match in matches:
            with archive.open(_entry(f"hands/{match.match_id}.json", now), "w") as out:
                before = b"[\n"
                async for hand in self._hands(match, user):
                    text = json.dumps(hand, ensure_ascii=False, separators=(",", ":"))
                    await asyncio.to_thread(out.write, before + text.encode())
                    before = b",\n"
                out.write(b"\n]\n" if before == b",\n" else b"[]\n")

    async def _matches(self, user: User) -> AsyncIterator[Match]:
        position = None
        while True:
            page = await self._database.read(queries.list_matches, user.user_id, position, PAGE)
            for match in page:
                yield match
            if len(page) < PAGE:
                return
            position = page[-1].started_at, page[-1].match_id

    async def _hands(self, match: Match, user: User) -> AsyncIterator[dict[str, Any]]:
        before_no = None
        while True:
            page = await self._database.read(queries.list_hands, match.match_id, before_no, PAGE)
            logs = await self._history.logs(page)
            for hand, log in zip(page, logs, strict=True):
                yield hand_json(hand, match, log, user.display_name)
            if len(page) < PAGE:
                return
            before_no = page[-1].hand_no


def _entry(name: str, at: datetime) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (at.year, at.month, at.day, at.hour, at.minute, at.second))
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _profile_json(connection: Connection, user: User, clock: Clock) -> dict[str, Any]:
    profile = accounts.profile(connection, user.user_id)
    if profile is None:
        raise users.PersonGoneError
    return {
        "id": user.user_id,
        "kind": user.kind,
        "username": user.username,
        "display_name": user.display_name,
        "created_at": time_text(user.created_at),
        "email": profile.email,
        "recovery_code_at": None if profile.code_at is None else time_text(profile.code_at),
        "sessions": [
            {
                "id": session.session_id,
                "agent": session.agent,
                "created_at": time_text(session.created_at),
                "last_seen_at": time_text(session.last_seen_at),
            }
            for session in sessions.list_sessions(connection, user.user_id, clock())
        ],
        "tokens": [
            {
                "id": token.token_id,
                "name": token.name,
                "scopes": sorted(scope.value for scope in token.scopes),
                "created_at": time_text(token.created_at),
            }
            for token in tokens.list_tokens(connection, user.user_id, clock())
        ],
    }


def _settings_json(connection: Connection, user: User) -> dict[str, Any]:
    saved = {kind: preferences.load(connection, user.user_id, kind).body for kind in Kind}
    return {kind.value: None if body is None else json.loads(body) for kind, body in saved.items()}
