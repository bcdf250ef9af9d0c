"""Training many depths in turn: slices of a few minutes, saved between rounds.

Any number of processes may work in one directory, one a core: a depth is locked while a
process trains it. What is saved depends only on the seed and the number of rounds.
"""

import fcntl
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from services.bot.blueprint.mccfr import Trainer
from services.bot.blueprint.sizes import DEPTHS_BB, Sizes, sizes_for
from services.bot.blueprint.store import Trained
from services.bot.blueprint.tables import BucketTables
from services.bot.blueprint.tree import build_tree

SEED: Final = 20261130
DEALS_PER_ROUND: Final = 100_000
SLICE_SECONDS: Final = 180.0
SHARES: Final = {100: 8.0, 50: 3.0, 200: 3.0, 17: 1.0, 25: 2.0, 70: 1.5, 140: 1.5, 300: 1.2}
"""How much of the time a depth gets, against 1 for the others; 100 BB is the usual table."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a checkpoint says of itself."""

    sizes: Sizes
    seed: int
    deals_per_round: int
    rounds: int
    seconds: float
    slots: int

    @property
    def deals(self) -> int:
        """Deals played so far, each with both players as the traverser once."""
        return self.rounds * self.deals_per_round


class CheckpointError(Exception):
    """A checkpoint is of another game, seed or abstraction than asked for, or not whole."""


def read_progress(directory: Path, depth_bb: int) -> Progress | None:
    """Return how far a depth is trained, None before its first checkpoint."""
    path = directory / f"depth{depth_bb}.json"
    if not path.exists():
        return None
    data = json.loads(path.read_text())
    return Progress(**{**data, "sizes": Sizes.from_json(data["sizes"])})


def _arrays_path(directory: Path, depth_bb: int, rounds: int) -> Path:
    return directory / f"depth{depth_bb}-{rounds}.npy"


def read_arrays(
    directory: Path, depth_bb: int, progress: Progress
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the regrets and summed strategies of a checkpoint."""
    both = np.load(_arrays_path(directory, depth_bb, progress.rounds))
    if both.shape != (2, progress.slots):
        raise CheckpointError(f"checkpoint of {depth_bb} BB has another shape")
    return both[0], both[1]


def checkpoint(directory: Path, depth_bb: int) -> Trained | None:
    """Return what the last checkpoint of a depth holds, None before the first.

    Training may go on meanwhile. Raises CheckpointError when the arrays are missing.
    """
    progress = read_progress(directory, depth_bb)
    if progress is None:
        return None
    try:
        regrets, sums = read_arrays(directory, depth_bb, progress)
    except FileNotFoundError as error:
        if read_progress(directory, depth_bb) == progress:
            raise CheckpointError(f"the arrays of {depth_bb} BB are missing") from error
        return checkpoint(directory, depth_bb)  # a later checkpoint has taken its place
    return Trained(
        build_tree(progress.sizes),
        regrets,
        sums,
        progress.seed,
        progress.rounds,
        progress.deals_per_round,
    )


def save(directory: Path, depth_bb: int, trainer: Trainer, seconds: float) -> Progress:
    """Write a checkpoint; the one before stays whole until the new one is."""
    progress = Progress(
        trainer.tree.sizes,
        trainer.seed,
        trainer.deals_per_round,
        trainer.rounds,
        seconds,
        len(trainer.regrets),
    )
    # The description is replaced last, and then the arrays it no longer names are removed.
    before = read_progress(directory, depth_bb)
    path = _arrays_path(directory, depth_bb, trainer.rounds)
    np.save(path, np.stack([trainer.regrets, trainer.sums]))
    fresh = directory / f"depth{depth_bb}.json.new"
    fresh.write_text(json.dumps(asdict(progress)))
    fresh.replace(directory / f"depth{depth_bb}.json")
    if before and before.rounds != trainer.rounds:
        _arrays_path(directory, depth_bb, before.rounds).unlink()
    return progress


def resume(directory: Path, depth_bb: int, tables: BucketTables, seed: int = SEED) -> Trainer:
    """Return the trainer of a depth as the last checkpoint left it, or a fresh one."""
    sizes = sizes_for(depth_bb)
    trainer = Trainer.fresh(build_tree(sizes), tables, seed, DEALS_PER_ROUND)
    progress = read_progress(directory, depth_bb)
    if progress is None:
        return trainer
    if (progress.sizes, progress.seed, progress.slots) != (sizes, seed, len(trainer.regrets)):
        raise CheckpointError(f"checkpoint of {depth_bb} BB is of another game or seed")
    trainer.regrets, trainer.sums = read_arrays(directory, depth_bb, progress)
    trainer.deals_per_round = progress.deals_per_round
    trainer.rounds = progress.rounds
    return trainer


def train(directory: Path, tables: BucketTables, minutes: float, depths: tuple[int, ...]) -> None:
    """Train the depths in turn, the furthest behind its share first, for some minutes."""
    until = time.monotonic() + 60.0 * minutes
    while time.monotonic() < until:
        for depth_bb in _most_behind(directory, depths):
            with _lock(directory, depth_bb) as locked:
                if locked:
                    slice_end = min(until, time.monotonic() + SLICE_SECONDS)
                    _train_slice(directory, depth_bb, tables, slice_end)
                    break
        else:
            time.sleep(1.0)  # more processes than depths


def _train_slice(directory: Path, depth_bb: int, tables: BucketTables, until: float) -> None:
    trainer = resume(directory, depth_bb, tables)
    before = read_progress(directory, depth_bb)
    seconds = before.seconds if before else 0.0
    started = time.monotonic()
    with tqdm(desc=f"{depth_bb} BB", unit=" deals", unit_scale=True, mininterval=5.0) as bar:
        while time.monotonic() < until:
            trainer.play_round()
            bar.update(trainer.deals_per_round)
    save(directory, depth_bb, trainer, seconds + time.monotonic() - started)


def _most_behind(directory: Path, depths: tuple[int, ...]) -> list[int]:
    def spent(depth_bb: int) -> float:
        progress = read_progress(directory, depth_bb)
        return progress.seconds / SHARES.get(depth_bb, 1.0) if progress else 0.0

    return sorted(depths, key=spent)


@contextmanager
def _lock(directory: Path, depth_bb: int) -> Iterator[bool]:
    with (directory / f"depth{depth_bb}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def tidy_depths(text: str) -> tuple[int, ...]:
    """Read ``100,50`` as depths; raises ValueError for one that is not in `DEPTHS_BB`."""
    depths = tuple(int(part) for part in text.split(","))
    for depth in depths:
        if depth not in DEPTHS_BB:
            raise ValueError(f"{depth} is not one of {DEPTHS_BB}")
    return depths
