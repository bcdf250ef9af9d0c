"""What open matches and silent sockets hold and cost while nobody plays."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Final

from benchmarks.bench_load_players import Order, Player, Seen
from tests.support.stored_bytes import stored_bytes
from tests.support.whole_site import WholeSite

AT_ONCE: Final = 8

Line = dict[str, Any]


def idle(site: WholeSite, matches: int, quiet: float) -> Iterator[Line]:
    """Measure a quiet site, then with open matches, then with a socket for each of them.

    ``quiet`` seconds should hold a whole turn of what happens by the clock: sweeps, pings, looks
    at sessions.
    """
    with asyncio.Runner() as runner:
        warm = _players(site, min(20, matches), first=matches)
        runner.run(_all(warm, lambda player: player.sit()))
        empty = runner.run(_rest(site, quiet))
        players = _players(site, matches, first=0)
        stored = stored_bytes(site)
        tables = runner.run(_all(players, lambda player: player.sit()))
        open_ = runner.run(_rest(site, quiet))
        grown = {name: size - stored[name] for name, size in stored_bytes(site).items()}
        yield {
            "part": "open_matches",
            "matches": matches,
            "memory_mb_before": _mb(empty.memory),
            "memory_mb_per_1000": _per_1000(open_.memory, empty.memory, matches, 1e6),
            "stored_kb_each": {k: round(v / 1e3 / matches, 2) for k, v in grown.items()},
            **_costs(open_, empty, matches),
        }
        places = dict(zip(map(id, players), tables, strict=True))
        runner.run(_all(players, lambda player: player.watch(places[id(player)])))
        runner.run(_all(players, lambda player: player.synced()))
        before = _bytes(players)
        watched = runner.run(_rest(site, quiet))
        bytes_in, bytes_out = (
            now - then for now, then in zip(_bytes(players), before, strict=True)
        )
        for player in (*players, *warm):
            player.leave()
        yield {
            "part": "idle_sockets",
            "sockets": matches,
            "memory_mb_per_1000": _per_1000(watched.memory, open_.memory, matches, 1e6),
            "bytes_a_minute_each": {
                "to_the_client": round(bytes_in / matches / quiet * 60, 1),
                "from_the_client": round(bytes_out / matches / quiet * 60, 1),
            },
            **_costs(watched, open_, matches),
        }


class _Rest:
    """What a site spent while nothing was asked of it, and what it holds."""

    def __init__(self, seconds: float, cpu: dict[str, float], memory: dict[str, int]) -> None:
        self.seconds, self.cpu, self.memory = seconds, cpu, memory


async def _rest(site: WholeSite, quiet: float) -> _Rest:
    await asyncio.sleep(min(5.0, quiet))  # what was begun comes to an end
    before, began = site.cpu_seconds(), time.monotonic()
    await asyncio.sleep(quiet)
    seconds, after = time.monotonic() - began, site.cpu_seconds()
    used = {name: (after[name] - before[name]) / seconds for name in after}
    return _Rest(seconds, used, site.memory_bytes())


def _costs(now: _Rest, before: _Rest, count: int) -> Line:
    """Return thousandths of a core: in all, and what each of the new ones adds."""
    more = {name: now.cpu[name] - before.cpu[name] for name in now.cpu}
    return {
        "millicores_before": {name: round(1e3 * used, 2) for name, used in before.cpu.items()},
        "millicores_per_1000": {name: round(1e6 * used / count, 1) for name, used in more.items()},
        "microcores_each": round(1e6 * sum(more.values()) / count, 1),
    }


def _players(site: WholeSite, count: int, first: int) -> list[Player]:
    order = Order(site.ports, count, first, 1, 1.0, 0.0, 0.0)
    return [Player(order, first + number, Seen()) for number in range(count)]


async def _all(players: Sequence[Player], work: Callable[[Player], Awaitable[Any]]) -> list[Any]:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(player: Player) -> Any:  # noqa: ANN401
        async with gate:
            return await work(player)

    return list(await asyncio.gather(*map(one, players)))


def _bytes(players: Sequence[Player]) -> tuple[int, int]:
    both = [player.socket_bytes for player in players]
    return sum(came for came, _ in both), sum(went for _, went in both)


def _mb(memory: dict[str, int]) -> dict[str, float]:
    return {name: round(size / 1e6, 1) for name, size in memory.items()}


def _per_1000(
    now: dict[str, int], before: dict[str, int], count: int, unit: float
) -> dict[str, float]:
    return {name: round((now[name] - before[name]) * 1_000 / count / unit, 2) for name in now}
