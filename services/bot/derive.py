"""Derives the preflop data files from exact solutions: ``python -m services.bot.derive DIR``.

``DIR`` holds ``pushfold.json`` (heads-up push/fold equilibria, CFR+ with exact card removal,
exploitability at most 2e-7 big blinds a hand) and ``equity169.json.gz`` (exact all-in
equities of the 169 types against one another). Both are facts of the game. The derivation
only rounds to 1/10,000, drops what River does not use and reorders by type.
"""

import argparse
import gzip
import json
from pathlib import Path
from typing import Any, Final

from services.bot.combos import TYPE_COUNT, TYPE_NAMES

SCALE: Final = 10_000
_PUSH_FOLD_NOTE: Final = (
    "Heads-up push/fold equilibrium: small blind 0.5, big blind 1, no ante, effective stack in "
    "big blinds before the blinds. Frequencies in 1/10000 by hand type (order of 'types'). "
    "CFR+ on the 169 types with exact equities and card removal."
)
_EQUITY_NOTE: Final = (
    "Exact preflop all-in equity in 1/10000 of the row's type against the column's, row by row "
    "from the diagonal to the right (order of 'types'); the other half is 10000 minus it. "
    "Averaged over all disjoint suit combinations and all 1,712,304 boards."
)


def push_fold_table(source: dict[str, Any]) -> dict[str, Any]:
    """Return the compact push/fold file: depths with push and call frequencies."""
    solutions = [
        {
            "stack_bb": solution["stack_bb"],
            "push": [round(SCALE * solution["push"].get(name, 0.0)) for name in TYPE_NAMES],
            "call": [round(SCALE * solution["call"].get(name, 0.0)) for name in TYPE_NAMES],
        }
        for solution in source["solutions"]
    ]
    return {"note": _PUSH_FOLD_NOTE, "types": list(TYPE_NAMES), "solutions": solutions}


def equity_table(source: dict[str, Any]) -> dict[str, Any]:
    """Return the compact equity file: the upper triangle in 1/10,000."""
    at = {name: index for index, name in enumerate(source["hands"])}
    rows = [
        [
            round(SCALE * source["equity"][at[TYPE_NAMES[row]]][at[TYPE_NAMES[column]]])
            for column in range(row, TYPE_COUNT)
        ]
        for row in range(TYPE_COUNT)
    ]
    return {"note": _EQUITY_NOTE, "types": list(TYPE_NAMES), "equity": rows}


def render(table: dict[str, Any]) -> str:
    """Write a table as JSON with one line a row, so that changes can be read."""
    head = {key: value for key, value in table.items() if key in {"note", "types"}}
    (body,) = (key for key in table if key not in head)
    rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in table[body])
    return json.dumps(head, separators=(",", ":"))[:-1] + f',"{body}":[\n{rows}\n]}}\n'


def main() -> None:
    """Write both data files beside this module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="directory with the exact solutions")
    source: Path = parser.parse_args().source
    target = Path(__file__).parent / "data"
    push_fold = json.loads((source / "pushfold.json").read_text())
    equities = json.loads(gzip.decompress((source / "equity169.json.gz").read_bytes()))
    (target / "push_fold.json").write_text(render(push_fold_table(push_fold)))
    (target / "equity169.json").write_text(render(equity_table(equities)))


if __name__ == "__main__":
    main()
