"""The committed artefacts: a manifest and one compressed file a depth, checked by hash."""

import hashlib
import io
import json
import lzma
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.abstraction import Abstraction, Limits
from services.bot.blueprint.layout import layout_of
from services.bot.blueprint.packing import (
    average_strategy,
    pack,
    quantised,
    stored_offsets,
    unpack,
)
from services.bot.blueprint.sizes import BB, Sizes
from services.bot.blueprint.tree import Tree, build_tree

MANIFEST: Final = "blueprint.json"
VERSION: Final = "blueprint-2"


class BlueprintError(Exception):
    """The artefacts are missing, damaged, or of another version."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What an export takes from training: the game, its arrays and where they come from."""

    tree: Tree
    regrets: NDArray[np.float32]
    sums: NDArray[np.float32]
    seed: int
    rounds: int
    deals_per_round: int


@dataclass(frozen=True, slots=True)
class Stored:
    """One depth as loaded: its game, and the fifteenths of all nodes at `offsets`."""

    tree: Tree
    fifteenths: NDArray[np.uint8]
    offsets: NDArray[np.int64]


def export_depth(directory: Path, trained: Trained, abstraction: Abstraction) -> dict[str, Any]:
    """Write one depth's file; return its entry for the manifest."""
    tree = trained.tree
    fifteenths = _all_fifteenths(trained, abstraction)
    squeezed = lzma.compress(pack(fifteenths).tobytes(), preset=9 | lzma.PRESET_EXTREME)
    buffer = io.BytesIO()
    np.savez(buffer, strategies=np.frombuffer(squeezed, dtype=np.uint8))
    name = f"blueprint_{tree.sizes.stack // BB}bb.npz"
    (directory / name).write_bytes(buffer.getvalue())
    return {
        "depth_bb": tree.sizes.stack // BB,
        "file": name,
        "sha256": hashlib.sha256(buffer.getvalue()).hexdigest(),
        "sizes": tree.sizes.to_json(),
        "nodes": len(tree.player),
        "infosets": tree.infosets(abstraction.counts),
        "seed": trained.seed,
        "rounds": trained.rounds,
        "deals": trained.rounds * trained.deals_per_round,
    }


def _all_fifteenths(trained: Trained, abstraction: Abstraction) -> NDArray[np.uint8]:
    tree, counts = trained.tree, abstraction.counts
    spreads = (1, *(limits.spreads for limits in abstraction.limits))
    layout = layout_of(tree, counts)
    blocks = []
    for node in np.flatnonzero(tree.player >= 0):
        strategy = average_strategy(
            layout.block(trained.regrets, int(node)),
            layout.block(trained.sums, int(node)),
            # Types before the flop have no neighbours: every one is a band of its own.
            spreads[tree.street[node]] if tree.street[node] else counts[0],
        )
        blocks.append(quantised(strategy)[:, :-1].T.ravel())
    return np.concatenate(blocks)


def write_manifest(
    directory: Path, abstraction: Abstraction, depths: list[dict[str, Any]], command: str
) -> None:
    """Write what the artefacts are, how they were made, and what they must hash to.

    Entries of other depths stay, as do their files. Raises BlueprintError when those were
    trained with another card abstraction.
    """
    limits = [limits.to_json() for limits in abstraction.limits]
    entries = {entry["depth_bb"]: entry for entry in [*_present(directory, limits), *depths]}
    manifest = {
        "version": VERSION,
        "command": command,
        "abstraction": limits,
        "depths": [entries[depth_bb] for depth_bb in sorted(entries)],
    }
    (directory / MANIFEST).write_text(json.dumps(manifest, separators=(",", ":")) + "\n")


def _present(directory: Path, limits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not (directory / MANIFEST).exists():
        return []
    manifest = read_manifest(directory)
    if manifest["abstraction"] != limits:
        raise BlueprintError("the depths exported before have another card abstraction")
    depths: list[dict[str, Any]] = manifest["depths"]
    return depths


def read_manifest(directory: Path) -> dict[str, Any]:
    """Return the manifest; raises BlueprintError when missing or of another version."""
    try:
        manifest: dict[str, Any] = json.loads((directory / MANIFEST).read_text())
    except FileNotFoundError as error:
        raise BlueprintError("no blueprint manifest") from error
    if manifest.get("version") != VERSION:
        raise BlueprintError("blueprints of another version")
    return manifest


def abstraction_of(manifest: dict[str, Any]) -> Abstraction:
    """Return the card abstraction that the blueprints were trained with."""
    flop, turn, river = (Limits.from_json(row) for row in manifest["abstraction"])
    return Abstraction((flop, turn, river))


def load_depth(directory: Path, entry: dict[str, Any], abstraction: Abstraction) -> Stored:
    """Read one depth by its manifest entry; raises BlueprintError when it is damaged."""
    try:
        data = (directory / entry["file"]).read_bytes()
    except FileNotFoundError as error:
        raise BlueprintError(f"{entry['file']} is missing") from error
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise BlueprintError(f"{entry['file']} is not what was exported")
    tree = build_tree(Sizes.from_json(entry["sizes"]))
    if len(tree.player) != entry["nodes"]:
        raise BlueprintError(f"{entry['file']} is of another game")
    offsets = stored_offsets(tree, abstraction.counts)
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        packed = np.frombuffer(lzma.decompress(archive["strategies"].tobytes()), dtype=np.uint8)
    return Stored(tree, unpack(packed, int(offsets[-1])), offsets)
