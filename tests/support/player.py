"""A scripted person who plays over HTTP, and remembers every answer."""

import random
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import httpx

Json = dict[str, Any]
Policy = Callable[[Json, random.Random], Json]


@dataclass
class Player:
    """One browser session: its cookies, its answers so far."""

    base_url: str
    answers: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.http = httpx.Client(
            base_url=self.base_url, trust_env=False, timeout=30.0, event_hooks=self._hooks()
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def _hooks(self) -> dict[str, list[Callable[..., Any]]]:
        def remember(response: httpx.Response) -> None:
            response.read()
            self.answers.append(response.text)

        return {"response": [remember]}

    def get(self, path: str, status: int = 200) -> Json:
        """GET and return the body; fail on any other status."""
        response = self.http.get(path)
        assert response.status_code == status, response.text
        return dict(response.json())

    def post(self, path: str, body: Json, status: int = 200, key: str | None = None) -> Json:
        """POST with an idempotency key and return the body; fail on any other status."""
        response = self.http.post(
            path, json=body, headers={"Idempotency-Key": key or uuid.uuid4().hex}
        )
        assert response.status_code == status, response.text
        return dict(response.json())

    def join(self, name: str | None = None) -> Json:
        """Become a guest."""
        return self.post("/v1/sessions/guest", {"display_name": name} if name else {}, 201)

    def sit_down(self, buy_in: int = 10_000) -> "MatchSeat":
        """Start a match against River."""
        body = {"ruleset": "hu_river", "buy_in": buy_in}
        return MatchSeat(self, self.post("/v1/matches", body, 201))


@dataclass
class MatchSeat:
    """A seat in a running match; ``state`` is the newest snapshot."""

    player: Player
    sat_down: Json

    def __post_init__(self) -> None:
        self.match_id: str = self.sat_down["match"]["id"]
        self.table_id: str = self.sat_down["table_id"]
        self.state: Json = self.sat_down["snapshot"]
        self.events: list[Json] = list(self.sat_down["events"])

    @property
    def legal(self) -> Json | None:
        """What this player may do now, None when it is not their turn."""
        legal: Json | None = self.state["legal"]
        return legal

    @property
    def seat_no(self) -> int:
        return next(int(seat["no"]) for seat in self.state["seats"] if seat["you"])

    def refresh(self) -> Json:
        """Read the snapshot again."""
        self.state = self.player.get(f"/v1/tables/{self.table_id}")
        return self.state

    def act(self, kind: str, to: int | None = None, key: str | None = None) -> Json:
        """Act on the current turn."""
        assert self.legal is not None
        body: Json = {"turn_token": self.legal["turn_token"], "type": kind}
        if to is not None:
            body["to"] = to
        return self._took(self.player.post(f"/v1/tables/{self.table_id}/actions", body, key=key))

    def next_hand(self) -> Json:
        return self._took(self.player.post(f"/v1/matches/{self.match_id}/next-hand", {}))

    def top_up(self) -> Json:
        body = self.player.post(f"/v1/matches/{self.match_id}/top-up", {})
        self.state = body["snapshot"]
        return body

    def settle(self) -> Json:
        body = self.player.post(f"/v1/matches/{self.match_id}/settle", {})
        return dict(body["summary"])

    def _took(self, body: Json) -> Json:
        self.state = body["snapshot"]
        self.events.extend(body["events"])
        return body

    def finish_hand(self, policy: Policy, rng: random.Random) -> Json:
        """Play the hand out by a policy; return the hand's ``hand.ended`` data."""
        while self.legal is not None:
            self.act(**policy(self.state, rng))
        ended = [event for event in self.events if event["type"] == "hand.ended"]
        return dict(ended[-1]["data"])


def fold_early(state: Json, _: random.Random) -> Json:
    """Check when it is free, else fold: the quickest way through many hands."""
    return {"kind": "check" if state["legal"]["can_check"] else "fold"}


def careful(state: Json, rng: random.Random) -> Json:
    """Play a bit of everything, but never for more than a quarter of the stack at a time.

    So a stack can shrink but not vanish in a hand, whatever the cards.
    """
    legal = state["legal"]
    stack = next(seat["stack"] for seat in state["seats"] if seat["you"])
    raises = legal["raise"]
    if raises is not None and rng.random() < 0.25:
        to = min(raises["max_to"], raises["min_to"] + rng.randrange(0, 301))
        if to * 4 <= stack:
            return {"kind": raises["kind"], "to": to}
    if legal["can_check"]:
        return {"kind": "check"}
    dear = legal["to_call"] * 4 > stack
    return {"kind": "fold" if dear or rng.random() < 0.3 else "call"}
