"""Five hundred hands through the front door: chips, leaderboard, and River's secrets."""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from tests.support.player import Json, MatchSeat, Player, Policy, careful, fold_early
from tests.support.secrets import (
    cards_in_log,
    leaks_in_answers,
    leaks_in_records,
    river_secrets,
)
from tests.support.system import System, running_system, until


@dataclass
class Campaign:
    """What one player saw and won over 500 hands in several matches."""

    system: System
    player: Player
    nets: list[int] = field(default_factory=list)
    river_nets: list[int] = field(default_factory=list)
    summaries: list[Json] = field(default_factory=list)
    standings: dict[int, Json] = field(default_factory=dict)

    def play_match(self, hands: int, policy: Policy, rng: random.Random) -> None:
        """Play a match of so many hands, settle it, read the board."""
        seat = self.player.sit_down()
        for hand in range(hands):
            if hand:
                seat.next_hand()
            self._count(seat, seat.finish_hand(policy, rng))
            if hand % 25 == 0:
                self._look_around(seat)
            if seat.state["match"]["can_top_up"] and hand % 2:
                seat.top_up()
        summary = seat.settle()
        self.summaries.append(summary)
        played = len(self.nets)
        until(lambda: self.standing()["hands"] == played, "the settled match is on the board")
        self.standings[played] = self.player.get("/v1/leaderboards/hu_river/me")

    def standing(self) -> Json:
        """This player's row, with no hands when there is none yet."""
        row: Json | None = self.player.get("/v1/leaderboards/hu_river/me")["row"]
        return row or {"hands": 0}

    def _count(self, seat: MatchSeat, ended: Json) -> None:
        for result in ended["results"]:
            (self.nets if result["seat"] == seat.seat_no else self.river_nets).append(result["net"])

    def _look_around(self, seat: MatchSeat) -> None:
        hand_id = seat.state["hand"]["id"]
        for path in (
            f"/v1/tables/{seat.table_id}/events?since=0",
            f"/v1/hands/{hand_id}",
            f"/v1/matches/{seat.match_id}",
            f"/v1/matches/{seat.match_id}/hands",
            f"/v1/matches/{seat.match_id}/summary",
            "/v1/lobby",
            "/v1/leaderboards/hu_river?section=qualifying",
        ):
            self.player.get(path)


def now_and_then(state: Json, rng: random.Random) -> Json:
    """Play every fourth hand to where it leads: River thinks long where both stay in."""
    policy = careful if state["hand"]["no"] % 4 == 0 else fold_early
    return policy(state, rng)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    rng = random.Random(2026)
    with (
        running_system(tmp_path_factory.mktemp("home"), RATE_LIMITS="off") as system,
        Player(system.base_url) as player,
    ):
        player.join("Five Hundred")
        campaign = Campaign(system, player)
        campaign.play_match(200, now_and_then, rng)
        campaign.play_match(299, fold_early, rng)
        campaign.play_match(1, fold_early, rng)
        yield campaign


def outbox_values(system: System, type_: str) -> list[bytes]:
    with closing(sqlite3.connect(system.home / "tables.sqlite3")) as database:
        rows = database.execute("SELECT value FROM outbox WHERE type = ?", (type_,))
        return [row[0] for row in rows]


def test_two_hundred_hands_in_one_match_sum_to_zero_with_river(campaign: Campaign) -> None:
    assert campaign.summaries[0]["hands"] == 200
    assert sum(campaign.nets[:200]) + sum(campaign.river_nets[:200]) == 0


def test_every_single_hand_sums_to_zero(campaign: Campaign) -> None:
    assert len(campaign.nets) == len(campaign.river_nets) == 500
    pairs = zip(campaign.nets, campaign.river_nets, strict=True)
    assert all(mine + rivers == 0 for mine, rivers in pairs)


def test_a_match_result_is_the_final_stack_less_what_was_bought(campaign: Campaign) -> None:
    for summary in campaign.summaries:
        bought = summary["buy_in"] + summary["top_ups"]["chips"]
        assert summary["net_chips"] == summary["final_stack"] - bought
    assert sum(summary["net_chips"] for summary in campaign.summaries) == sum(campaign.nets)


def test_the_leaderboard_row_is_the_sum_of_the_hands(campaign: Campaign) -> None:
    for played, standing in campaign.standings.items():
        assert standing["row"]["hands"] == played
        assert standing["row"]["net_chips"] == sum(campaign.nets[:played])


def test_the_rank_comes_with_the_five_hundredth_hand_and_not_before(campaign: Campaign) -> None:
    almost = campaign.standings[499]
    assert (almost["row"]["rank"], almost["hands_to_rank"]) == (None, 1)
    ranked = campaign.standings[500]
    assert (ranked["row"]["rank"], ranked["hands_to_rank"]) == (1, 0)
    board = campaign.player.get("/v1/leaderboards/hu_river?section=ranked")
    assert [row["you"] for row in board["items"]] == [True]


def test_the_audit_passes(campaign: Campaign) -> None:
    audit = campaign.system.ledger_audit()
    assert audit.returncode == 0, audit.stdout + audit.stderr


def test_no_answer_shows_rivers_cards_before_they_are_turned_up(campaign: Campaign) -> None:
    secrets = river_secrets(campaign.system.home / "tables.sqlite3")
    assert len(secrets) == 500
    assert {secret.shown for secret in secrets.values()} == {True, False}
    assert leaks_in_answers(campaign.player.answers, secrets) == []


def test_no_event_shows_cards_that_nobody_saw(campaign: Campaign) -> None:
    secrets = river_secrets(campaign.system.home / "tables.sqlite3")
    values = outbox_values(campaign.system, "riverboat.hand.settled.v1")
    assert len(values) == 500
    assert leaks_in_records(values, secrets) == []


def test_no_log_names_a_card(campaign: Campaign) -> None:
    assert cards_in_log(campaign.system.logs()) == []


def test_the_search_finds_a_leak_when_there_is_one(campaign: Campaign) -> None:
    secrets = river_secrets(campaign.system.home / "tables.sqlite3")
    hidden = next(secret for secret in secrets.values() if not secret.shown)
    card = min(hidden.cards)
    planted = json.dumps({"snapshot": {"hand": {"id": hidden.hand_id}, "cards": [card]}})
    assert leaks_in_answers([planted], secrets) == [planted]
    assert cards_in_log(f'{{"event": "dealt {card}"}}') != []
