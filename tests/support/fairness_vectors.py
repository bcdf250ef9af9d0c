"""The shared test vectors of the verifiable shuffle; every verifier's tests read them.

``python -m tests.support.fairness_vectors`` writes tests/golden/data/fairness/vectors.json.
"""

import copy
import json
from pathlib import Path
from typing import Any, Final

from services.gateway.verifier import CARDS, SCHEME, first_button, leaf_hash, permutation_of
from tests.support.proven_hands import Json, ProvenHand, folding, passive, play, shoving

VECTORS: Final = Path(__file__).parents[1] / "golden/data/fairness/vectors.json"

_ROOTS: Final = ("00" * 32, "0123456789abcdef" * 4, "ff" * 32)
_SEEDS: Final = (None, "a", "river", "Übersetzung ♠ 💧", "0123456789abcdef" * 4)


def build() -> Json:
    """Return all vectors; the same every time."""
    vectors: Json = {
        "scheme": SCHEME,
        "leaves": [
            {
                "pos": pos,
                "card": CARDS[card],
                "salt": salt.hex(),
                "leaf": leaf_hash(pos, card, salt).hex(),
            }
            for pos, card, salt in (
                (0, 0, bytes(16)),
                (17, 50, bytes(range(16))),
                (51, 51, b"s" * 16),
            )
        ],
        "permutations": [
            {
                "root": root,
                "client_seed": seed,
                "permutation": permutation_of(bytes.fromhex(root), seed),
                "first_button": None
                if seed is None
                else first_button(bytes.fromhex(root), seed, (1, 2)),
            }
            for root in _ROOTS
            for seed in _SEEDS
        ],
        "valid": [
            {"name": name, "proof": hand.proof(viewer), "hand": hand.record(viewer)}
            for name, hand, viewer in _hands()
        ],
    }
    # Changes to the third of them, a showdown, each of which must be found.
    return {**vectors, "changed": 2, "invalid": _invalid(vectors["valid"][2])}


def _hands() -> list[tuple[str, ProvenHand, int]]:
    seeded = play(3, [], client_seed="4f1c0a9be37d2586", then=passive)
    return [
        ("a hand that has just begun", play(1, [], client_seed="river"), 1),
        ("folded before the flop, without a client seed", play(2, [folding]), 1),
        ("a showdown, seen by one", seeded, 1),
        ("a showdown, seen by the other", seeded, 2),
        (
            "folded on the flop, with a seed of many bytes",
            play(4, [passive, passive, shoving, folding], client_seed="Übersetzung ♠ 💧"),
            2,
        ),
        (
            "three players, burnt cards, the button on an empty seat, one all-in",
            play(
                5, [shoving, folding], then=passive, client_seed='"\\/',
                seats=(2, 3, 9), button=4, burn=True, hand_no=7,
            ),
            3,
        ),
    ]  # fmt: skip


def text_of(vectors: Json) -> str:
    """Return the vectors as they are stored, a case a line."""
    members = []
    for name, value in vectors.items():
        cases = (
            [json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in value]
            if isinstance(value, list)
            else []
        )
        text = "[\n" + ",\n".join(cases) + "\n]" if cases else json.dumps(value)
        members.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(members) + "\n}\n"


def changed(valid: Json, change: Json) -> Json:
    """Return a valid case with what is ``at`` a path set ``to`` something, or taken away."""
    case = copy.deepcopy(valid)
    *way, last = change["at"]
    spot: Any = case
    for step in way:
        spot = spot[step]
    if "to" in change:
        spot[last] = change["to"]
    else:
        del spot[last]
    return case


def _invalid(valid: Json) -> list[Json]:
    proof, hand = valid["proof"], valid["hand"]
    openings, first = proof["openings"], proof["openings"][0]
    other = play(6, [], client_seed=proof["client_seed"], then=passive).proof(1)
    unseen = next(card for card in CARDS if card not in {item["card"] for item in openings})
    names = [event["type"] for event in hand["events"]]
    river = len(names) - 1 - names[::-1].index("street.dealt")
    path: list[str | int] = ["proof", "openings", 0, "path"]
    changes: list[tuple[str, list[str | int], object]] = [
        ("another scheme", ["proof", "scheme"], "riverboat-deal-2"),
        ("a member that nobody knows", ["proof", "more"], 1),
        ("a root in capitals", ["proof", "root"], proof["root"].upper()),
        ("a root too short", ["proof", "root"], proof["root"][:-2]),
        ("another seed", ["proof", "client_seed"], "4f1c0a9be37d2587"),
        ("a seed too long", ["proof", "client_seed"], "a" * 65),
        ("a seed of nothing", ["proof", "client_seed"], ""),
        ("a seed that is no text", ["proof", "client_seed"], 4),
        ("no seed", ["proof", "client_seed"], None),
        ("a permutation of choice", ["proof", "permutation"], proof["permutation"][::-1]),
        ("no permutation", ["proof", "permutation"], None),
        ("an opening out of order", ["proof", "openings"], [*openings[1:], first]),
        ("an opening twice", ["proof", "openings"], [*openings, openings[-1]]),
        ("openings that are no list", ["proof", "openings"], {}),
        ("a path too short", path, first["path"][:-1]),
        ("a path too long", path, [*first["path"], "00" * 32]),
        ("another card", ["proof", "openings", 0, "card"], unseen),
        ("no such card", ["proof", "openings", 0, "card"], "1s"),
        ("another position", ["proof", "openings", 0, "pos"], first["pos"] ^ 1),
        ("no such position", ["proof", "openings", 0, "pos"], 52),
        ("a position that is no number", ["proof", "openings", 0, "pos"], True),
        ("another salt", ["proof", "openings", 0, "salt"], "00" * 16),
        ("the proof of another hand", ["proof"], other),
        ("a card too few", ["proof", "openings"], openings[:-1]),
        ("another root when it began", ["hand", "events", 0, "data", "commit_root"], "00" * 32),
        ("a card on the table that was not", ["hand", "events", river, "data", "cards"], [unseen]),
        ("the other button", ["hand", "button"], 3 - hand["button"]),
        ("no events", ["hand", "events"], []),
        ("no record", ["hand"], 1),
    ]
    cases: list[Json] = [{"why": why, "at": at, "to": to} for why, at, to in changes]
    return [*cases, {"why": "a member is missing", "at": ["proof", "client_seed"]}]


if __name__ == "__main__":
    VECTORS.write_text(text_of(build()), encoding="utf-8")
