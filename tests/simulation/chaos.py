"""`python -m tests.simulation.chaos`: people play while everything breaks, one thing after another.

All services as real processes, two gateways, PostgreSQL and Kafka, with a proxy in every link.
Engine, bot, gateways, ledger, broker and database are killed (-9) or stopped (SIGSTOP) for a
while; links are cut, stalled, late, or stutter as they do when packets are lost; and, where the
run may have a network namespace of its own, everything goes over a way that is too narrow.

At the end no move is lost or doubled, the chips are where a run in peace puts them, and clients
were told nothing worse than 503 with Retry-After, except by a gateway that was away itself. A
table says how long each fault was felt. What breaks, and in which order, follows from the seed.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from services.common.database import open_engine
from tests.simulation.chaos_crowd import Crowd
from tests.simulation.chaos_faults import SHAPE, Fault, Weatherman, draw
from tests.simulation.chaos_money import AWAY, check_money, events_applied, events_written
from tests.simulation.chaos_proxy import Network, network
from tests.support.kafka import UnavailableError, _jars
from tests.support.whole_site import WholeSite, Wiring, is_ready, whole_site

RECOVERY_SECONDS: Final = 180.0
CALM_SECONDS: Final = 1.0
FINISH_SECONDS: Final = 300.0
EXIT_UNAVAILABLE: Final = 3
INSIDE: Final = "CHAOS_NAMESPACE"
"""Set in a run that has a network of its own."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Ordeal:
    """What a run is made of; faults take between ``least`` and ``most`` seconds."""

    seed: int
    faults: int
    least: float
    most: float
    clients: int
    bot: str


@dataclass(frozen=True)
class Felt:
    """How a fault was felt, in seconds.

    ``seconds`` is how long it was, starting again included; ``silence`` the longest time
    without a command done from its beginning until play was back. The others count from its
    end: ``ready`` until every gateway called all parts healthy, ``play`` until each gateway had
    done a command that was sent after it, ``ledger`` until the ledger had what had been played.
    ``told`` counts answers that were errors.
    """

    fault: Fault
    seconds: float
    silence: float
    ready: float
    play: float
    ledger: float
    told: Counter[str]

    def row(self) -> str:
        told = ", ".join(f"{count} of {what}" for what, count in sorted(self.told.items())) or "-"
        times = (self.seconds, self.silence, self.ready, self.play, self.ledger)
        numbers = " | ".join(f"{seconds:.1f}" for seconds in times)
        return f"| {self.fault.how.value} | {self.fault.target} | {numbers} | {told} |"


HEAD: Final = (
    "| fault | of | for s | no command done for s | all healthy after s | play back after s "
    "| ledger level after s | clients were told |\n|---|---|---|---|---|---|---|---|"
)


class Run:
    """One ordeal at a running site."""

    def __init__(self, ordeal: Ordeal, site: WholeSite, net: Network, say: Say) -> None:
        self._site, self._say = site, say
        self._weather = Weatherman(site, net)
        self._gateway, self._ledger = open_engine(site.gateway_url), open_engine(site.ledger_url)
        doors = [
            net.route(f"client-gateway-{number}", f"127.0.0.1:{port}")
            for number, port in enumerate(site.ports, start=1)
        ]
        ports = [int(door.rpartition(":")[2]) for door in doors]
        haste = 0.3 if ordeal.most > 4 else 0.1
        self._crowd = Crowd(ordeal.seed, ordeal.clients, haste, ports, self._gateway)

    def go(self, faults: Sequence[Fault], home: Path) -> list[Felt]:
        """Suffer every fault, let everybody finish, and check; raises AssertionError."""
        try:
            self._crowd.start()
            self._until(lambda: bool(self._crowd.watch.done), "somebody plays")
            felt = [self._suffer(fault) for fault in faults]
            began = time.monotonic()
            self._finish()
            self._say(f"\neverybody has finished after {time.monotonic() - began:.0f} s more")
            book = self._crowd.book
            for table_id in book.tables:
                book.tally(book.check(table_id, everything=True))
            book.counts["matches"] = len(book.tables)
            book.counts["processes that ended by themselves"] = self._weather.ended_by_itself
            self._until(self._is_level(), "the ledger is level", FINISH_SECONDS)
            book.counts["transfers audited"] = check_money(
                self._site.gateway_url, self._site.ledger_url, home
            )
        finally:
            self._gateway.dispose()
            self._ledger.dispose()
        return felt

    @property
    def counts(self) -> Counter[str]:
        return self._crowd.book.counts

    def _suffer(self, fault: Fault) -> Felt:
        """Let one fault happen and wait until nothing of it is left."""
        watch, began = self._crowd.watch, time.monotonic()
        watch.fault_begins(fault)
        self._weather.begin(fault)
        down = fault.target if fault.how.value == "kill -9" else ""
        while time.monotonic() - began < fault.seconds:
            self._tend(down)
        self._weather.end(fault)
        ended = time.monotonic()
        is_level = self._is_level()
        back: dict[str, float] = {}
        recovered: dict[str, Callable[[], bool]] = {
            "ready": lambda: all(map(is_ready, self._site.base_urls)),
            "play": lambda: all(watch.first_done(ended, port) for port in self._crowd.ports),
            "ledger": is_level,
        }
        while len(back) < len(recovered):
            assert time.monotonic() - ended < RECOVERY_SECONDS, f"{fault}: only {back} is back"
            self._tend()
            for name in recovered.keys() - back.keys():
                if recovered[name]():
                    back[name] = time.monotonic() - ended
                    if name == "ready":
                        watch.fault_ends(fault)
        play = max(watch.first_done(ended, port) or 0.0 for port in self._crowd.ports)
        felt = Felt(
            fault,
            ended - began,
            watch.longest_silence(began, play),
            back["ready"],
            play - ended,
            back["ledger"],
            watch.between(began, time.monotonic()),
        )
        self._say(felt.row())
        calm = time.monotonic() + CALM_SECONDS
        while time.monotonic() < calm:
            self._tend()
        return felt

    def _is_level(self) -> Callable[[], bool]:
        """Return what tells whether the ledger has what is written now (once it can be read)."""
        written: list[int] = []

        def is_level() -> bool:
            try:
                if not written:
                    written.append(events_written(self._gateway))
                return events_applied(self._ledger) >= written[0]
            except AWAY:
                return False

        return is_level

    def _finish(self) -> None:
        self._crowd.stop()
        self._until(lambda: not self._crowd.playing, "everybody has finished", FINISH_SECONDS)

    def _until(self, done: Callable[[], bool], what: str, seconds: float = 120.0) -> None:
        deadline = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
            self._tend()

    def _tend(self, down: str = "") -> None:
        assert self._crowd.playing or self._crowd.stopped, "the clients have stopped"
        self._weather.tend(down)
        time.sleep(0.05)


def endure(ordeal: Ordeal, say: Say) -> None:
    """Run an ordeal on servers of its own; raises AssertionError when something is wrong."""
    rng, began = random.Random(f"chaos {ordeal.seed}"), time.monotonic()
    namespace = INSIDE in os.environ
    faults = draw(rng, ordeal.faults, ordeal.least, ordeal.most, namespace=namespace)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="riverboat-chaos-")))
        net = stack.enter_context(network(ordeal.seed))
        wiring = Wiring(production=True, gateways=2, bot=ordeal.bot, route=net.route)
        site = stack.enter_context(whole_site(wiring))
        say(f"everything serves after {time.monotonic() - began:.0f} s\n\n{HEAD}")
        run = Run(ordeal, site, net, say)
        try:
            run.go(faults, home)
        except AssertionError as error:
            tails = "\n".join(f"{part.name}\n{part.server.tail()}" for part in site.parts)
            raise AssertionError(f"{tails}\n{error}") from error
        for name, count in sorted(run.counts.items()):
            say(f"{count:8} {name}")


def main() -> int:
    """Run as the arguments say; returns the exit status."""
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--faults", type=int, default=44)
    parser.add_argument("--least", type=float, default=5.0, help="seconds a fault takes")
    parser.add_argument("--most", type=float, default=30.0)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--bot", default="river-0.1")
    ordeal = Ordeal(**vars(parser.parse_args()))
    try:
        _jars()  # from here on there may be no way out
        enter_namespace(ordeal)
    except UnavailableError as error:
        return _unavailable(error)
    began = time.monotonic()
    say(f"SEED={ordeal.seed} FAULTS={ordeal.faults} CLIENTS={ordeal.clients}")
    say(f"{'a' if INSIDE in os.environ else 'no'} network namespace of its own")
    try:
        endure(ordeal, say)
    except AssertionError as error:
        say(f"{error}\nagain: make chaos SEED={ordeal.seed} FAULTS={ordeal.faults}")
        return 1
    except UnavailableError as error:
        return _unavailable(error)
    seconds = time.monotonic() - began
    say(f"nothing lost, nothing doubled, every chip in its place, after {seconds:.0f} s")
    return 0


def enter_namespace(ordeal: Ordeal) -> None:
    """Start again with a network of one's own, if that may be had and shaped here."""
    if INSIDE in os.environ:
        return
    up = "ip link set lo mtu 1500 && ip link set lo up"
    trial = f"{up} && tc qdisc add dev lo root {' '.join(SHAPE)}"
    try:
        done = subprocess.run(
            ["unshare", "-n", "sh", "-c", trial], capture_output=True, check=False
        )
    except FileNotFoundError:
        return
    if done.returncode != 0:
        return
    again = [text for name, value in vars(ordeal).items() for text in (f"--{name}", str(value))]
    command = [sys.executable, "-W", "ignore", "-m", "tests.simulation.chaos", *again]
    within = ["sh", "-c", f'{up} && exec "$@"', "sh", *command]
    os.execvpe("unshare", ["unshare", "-n", *within], {**os.environ, INSIDE: "1"})  # noqa: S606


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _unavailable(error: Exception) -> int:
    say(str(error))
    return EXIT_UNAVAILABLE


if __name__ == "__main__":
    sys.exit(main())
