"""The replay is no rubber stamp: whatever is wrong in a record is found and named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.engine.replay.cli import main

DATA = Path(__file__).parent / "data"
HANDS = DATA / "replay" / "hands.jsonl"
SCENARIOS = DATA / "poker" / "rule_scenarios.jsonl"

Record = dict[str, Any]


def records(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def tagged(*tags: str) -> Record:
    """A replayable golden hand with these tags."""
    return next(
        record
        for record in records(HANDS)
        if set(tags) <= set(record["tags"])
        and record["antes"]["mode"] == "none"
        and record["sb_seat"] is not None
        and not record["posts"]
        and not record["straddles"]
    )


def written(tmp_path: Path, *lines: Record) -> Path:
    path = tmp_path / "hands.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def first(record: Record, kind: str) -> Record:
    action: Record = next(action for action in record["actions"] if action["type"] == kind)
    return action


def final_stack(record: Record) -> None:
    record["final_stacks"][str(record["seats"][0]["seat"])] += 1


def pot_amount(record: Record) -> None:
    record["pots"][0]["amount"] -= 1


def pot_claimant(record: Record) -> None:
    record["pots"][-1]["eligible"].pop()


def pot_winner(record: Record) -> None:
    record["pots"][0]["winners"] = [
        seat for seat in record["pots"][0]["eligible"] if seat not in record["pots"][0]["winners"]
    ]


def pots_merged(record: Record) -> None:
    record["pots"][:2] = [
        record["pots"][0] | {"amount": sum(pot["amount"] for pot in record["pots"][:2])}
    ]


def uncalled(record: Record) -> None:
    seat = next(iter(record["returned"]))
    record["returned"][seat] += 1


def uncalled_forgotten(record: Record) -> None:
    record["returned"] = {}


def winnings(record: Record) -> None:
    seat = next(iter(record["winnings"]))
    record["winnings"][seat] += 1


def last_action_missing(record: Record) -> None:
    record["actions"].pop()


def action_after_the_end(record: Record) -> None:
    record["actions"].append(record["actions"][-1])


def raise_too_small(record: Record) -> None:
    action = first(record, "raise")
    action["to"] = record["bb"] + 1
    action["amount"] = 1


def raise_as_bet(record: Record) -> None:
    first(record, "raise")["type"] = "bet"


def call_as_check(record: Record) -> None:
    first(record, "call")["type"] = "check"


def call_too_cheap(record: Record) -> None:
    first(record, "call")["amount"] -= 1


def out_of_turn(record: Record) -> None:
    decisions = [at for at, action in enumerate(record["actions"]) if "post" not in action["type"]]
    one, two = decisions[:2]
    actions = record["actions"]
    actions[one], actions[two] = actions[two], actions[one]


def wrong_street(record: Record) -> None:
    record["actions"][-1]["street"] = "preflop"


def blind_amount(record: Record) -> None:
    first(record, "post_sb")["amount"] -= 1


def blind_seat(record: Record) -> None:
    record["sb_seat"], record["bb_seat"] = record["bb_seat"], record["sb_seat"]


def same_card_twice(record: Record) -> None:
    known = [seat for seat, cards in record["holes"].items() if cards]
    record["holes"][known[0]] = record["holes"][known[1]]


def loser_not_at_showdown(record: Record) -> None:
    record["live_at_end"].pop()


def one_seat(record: Record) -> None:
    del record["seats"][1:]


@pytest.mark.parametrize(
    ("tags", "damage", "message"),
    [
        (("showdown",), final_stack, "ends with"),
        (("showdown",), pot_amount, "pots"),
        (("side_pots_1",), pot_claimant, "pots"),
        (("showdown",), pot_winner, "pots"),
        (("side_pots_1",), pots_merged, "pots"),
        (("uncalled_return",), uncalled, "returned"),
        (("uncalled_return",), uncalled_forgotten, "returned"),
        (("showdown",), winnings, "wins"),
        (("fold_win_flop",), last_action_missing, "not over"),
        (("fold_win_flop",), action_after_the_end, "already over"),
        (("min_raise",), raise_too_small, "below_minimum"),
        (("min_raise",), raise_as_bet, "bet_already_made"),
        (("limp",), call_as_check, "must_call_or_fold"),
        (("limp",), call_too_cheap, "adds"),
        (("limp",), out_of_turn, "not_your_turn"),
        (("fold_win_flop",), wrong_street, "recorded on the preflop"),
        (("limp",), blind_amount, "blinds"),
        (("all_holes_known",), same_card_twice, "duplicate_card"),
        (("multiway_showdown",), loser_not_at_showdown, "shown by"),
        (("heads_up",), one_seat, "setup refused"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_falsified_hand_is_a_mismatch(
    tags: tuple[str, ...],
    damage: Callable[[Record], None],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = tagged(*tags)
    assert main([str(written(tmp_path, record))]) == 0
    capsys.readouterr()
    damage(record)
    assert main([str(written(tmp_path, record))]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["mismatches"] == 1
    assert f"{record['id']}: " in captured.err
    assert message in captured.err


@pytest.mark.parametrize("amount", [-1, 1])
def test_rake_must_be_exactly_what_the_winners_are_short_of(
    amount: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tagged("rake")
    record["rake"] += amount
    assert main([str(written(tmp_path, record))]) == 1
    assert f"rake off by {amount}" in capsys.readouterr().err


def test_a_fold_that_was_free_needs_a_table_that_allows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tagged("fold_no_bet")
    record["tags"].remove("fold_no_bet")
    assert main([str(written(tmp_path, record))]) == 1
    assert "nothing_to_call" in capsys.readouterr().err


def test_the_counts_tell_a_damaged_hand_from_the_sound_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound, damaged = tagged("limp"), tagged("showdown")
    final_stack(damaged)
    assert main([str(written(tmp_path, sound, damaged, sound))]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "hands": 3,
        "replayed": 3,
        "skipped": {},
        "mismatches": 1,
    }


def legal_call(case: Record) -> None:
    case["expect"]["legal"][0]["call"] += 1


def legal_minimum(case: Record) -> None:
    case["expect"]["legal"][0]["min_raise_to"] = 1


def posts(case: Record) -> None:
    case["expect"]["posts"][0] += 1


def first_to_act(case: Record) -> None:
    case["expect"]["first_to_act_preflop"] = 1


def pots(case: Record) -> None:
    case["expect"]["pots"][0][0] += 1


def won(case: Record) -> None:
    case["expect"]["won"][0] += 1


def final(case: Record) -> None:
    case["expect"]["final"][0] += 1


def returned(case: Record) -> None:
    case["expect"]["returned"][0] += 1


def hand_over(case: Record) -> None:
    case["expect"]["hand_over"] = False


def next_big_blind(case: Record) -> None:
    case["expect"]["next_hand"]["bb_seat"] = 0


@pytest.mark.parametrize(
    ("case_id", "damage"),
    [
        ("reopen-01", legal_call),
        ("shortblind-05", legal_call),
        ("minraise-03", legal_minimum),
        ("hu-01", posts),
        ("hu-01", first_to_act),
        ("sidepot-01", pots),
        ("potfn-01", pots),
        ("potfn-01", won),
        ("uncalled-01", won),
        ("uncalled-01", returned),
        ("odd-01", final),
        ("runout-01", hand_over),
        ("hu-transition-01", next_big_blind),
        ("deadbutton-01", next_big_blind),
    ],
)
def test_a_falsified_case_is_a_mismatch(
    case_id: str,
    damage: Callable[[Record], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    case = next(case for case in records(SCENARIOS) if case["id"] == case_id)
    assert main(["--scenarios", str(written(tmp_path, case))]) == 0
    damage(case)
    assert main(["--scenarios", str(written(tmp_path, case))]) == 1
    assert f"{case_id}: " in capsys.readouterr().err


def one_stack_too_few(case: Record) -> None:
    del case["stacks"][-1]


def one_stack_too_many(case: Record) -> None:
    case["stacks"].append(100)


def one_hand_too_few(case: Record) -> None:
    del case["holes"][-1]


def half_a_hand(case: Record) -> None:
    del case["holes"][0][0]


def one_fold_too_few(case: Record) -> None:
    del case["folded"][-1]


@pytest.mark.parametrize(
    ("case_id", "damage"),
    [
        ("reopen-01", one_stack_too_few),
        ("deadbutton-01", one_stack_too_few),
        ("reopen-01", one_stack_too_many),
        ("reopen-01", one_hand_too_few),
        ("reopen-01", half_a_hand),
        ("potfn-01", one_fold_too_few),
    ],
)
def test_a_case_that_contradicts_itself_is_unreadable(
    case_id: str,
    damage: Callable[[Record], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    case = next(case for case in records(SCENARIOS) if case["id"] == case_id)
    damage(case)
    path = written(tmp_path, case)
    assert main(["--scenarios", str(path)]) == 2
    assert f"{path}:1: " in capsys.readouterr().err
