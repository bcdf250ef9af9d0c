"""Following a channel: every event once, in order, whenever it is committed."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from services.gateway.live.following import PAGE_EVENTS, follow
from services.gateway.live.hub import Signal
from tests.support.fake_feeds import FakeChannel, FakeWakeups

Json = dict[str, Any]

NEVER = 1_000.0
WAIT_SECONDS = 20.0


def channel_at(last_seq: int) -> FakeChannel:
    return FakeChannel(FakeWakeups(), last_seq)


async def take(messages: AsyncIterator[Json], count: int) -> list[Json]:
    async with asyncio.timeout(WAIT_SECONDS):
        return [await anext(messages) for _ in range(count)]


async def take_until(messages: AsyncIterator[Json], seq: int) -> list[Json]:
    told: list[Json] = []
    async with asyncio.timeout(WAIT_SECONDS):
        while not told or told[-1]["seq"] < seq or told[-1]["op"] == "synced":
            told.append(await anext(messages))
            if told[-1]["seq"] >= seq:
                break
    return told


def shape(messages: list[Json]) -> list[tuple[str, int]]:
    return [(message["op"], message["seq"]) for message in messages]


def test_without_a_number_a_snapshot_comes_first() -> None:
    async def scene() -> None:
        channel = channel_at(3)
        async with aclosing(follow(channel, channel.wakeups, None, NEVER)) as messages:
            assert shape(await take(messages, 2)) == [("snap", 3), ("synced", 3)]
            channel.commit(2)
            assert shape(await take(messages, 2)) == [("ev", 4), ("ev", 5)]

    asyncio.run(scene())


def test_with_a_number_what_was_missed_comes_first() -> None:
    async def scene() -> None:
        channel = channel_at(3)
        async with aclosing(follow(channel, channel.wakeups, 1, NEVER)) as messages:
            assert shape(await take(messages, 3)) == [("ev", 2), ("ev", 3), ("synced", 3)]

    asyncio.run(scene())


@pytest.mark.parametrize("since", [0, 1, 99])
def test_a_number_that_cannot_be_continued_is_answered_with_a_snapshot(since: int) -> None:
    async def scene() -> None:
        channel = channel_at(5)
        channel.first_kept = 4
        async with aclosing(follow(channel, channel.wakeups, since, NEVER)) as messages:
            assert shape(await take(messages, 2)) == [("snap", 5), ("synced", 5)]

    asyncio.run(scene())


def test_a_channel_that_is_trimmed_under_way_starts_again() -> None:
    async def scene() -> None:
        channel = channel_at(5)
        async with aclosing(follow(channel, channel.wakeups, 5, NEVER)) as messages:
            assert shape(await take(messages, 1)) == [("synced", 5)]
            channel.first_kept = 9
            channel.commit(4)
            assert shape(await take(messages, 1)) == [("snap", 9)]
            channel.commit()
            assert shape(await take(messages, 1)) == [("ev", 10)]

    asyncio.run(scene())


def test_many_events_come_page_by_page_and_are_in_sync_once() -> None:
    async def scene() -> None:
        channel = channel_at(2 * PAGE_EVENTS + 1)
        async with aclosing(follow(channel, channel.wakeups, 0, NEVER)) as messages:
            await take(messages, 1)
            assert channel.reads == 1
            rest = await take(messages, 2 * PAGE_EVENTS + 1)
        assert shape(rest)[-2:] == [("ev", 201), ("synced", 201)]

    asyncio.run(scene())


@pytest.mark.parametrize("moment", ["before_read", "after_read"])
@pytest.mark.parametrize("read", [0, 1])
def test_nothing_is_lost_between_the_snapshot_and_what_follows(moment: str, read: int) -> None:
    """An event is committed just before or after the snapshot's read, or the first page's."""

    async def scene() -> None:
        channel = channel_at(3)

        async def commit() -> None:
            channel.commit()

        async def nothing() -> None:
            return

        getattr(channel, moment).extend([*[nothing] * read, commit])
        async with aclosing(follow(channel, channel.wakeups, None, NEVER)) as messages:
            told = await take_until(messages, 4)
        seqs = [message["seq"] for message in told if message["op"] == "ev"]
        snapshot = told[0]["seq"]
        assert seqs == list(range(snapshot + 1, 5))

    asyncio.run(scene())


@pytest.mark.parametrize("seed", range(25))
def test_at_any_interleaving_each_event_comes_once_and_in_order(seed: int) -> None:
    """Commits and reads in random order; some hints are lost, which only delays."""
    rng = random.Random(seed)

    async def scene() -> None:
        channel = channel_at(rng.randrange(3))
        since = rng.choice([None, 0, channel.last_seq])

        async def wander() -> None:
            for _ in range(rng.randrange(4)):
                await asyncio.sleep(0)

        async def write() -> None:
            for _ in range(30):
                await wander()
                channel.commit(rng.randrange(1, 4), hint=rng.random() < 0.7)

        channel.before_read = [wander for _ in range(200)]
        channel.after_read = [wander for _ in range(200)]
        writing = asyncio.create_task(write())
        async with aclosing(follow(channel, channel.wakeups, since, 0.005)) as messages:
            told = await take(messages, 1)
            await writing
            if told[-1]["seq"] < channel.last_seq:
                told += await take_until(messages, channel.last_seq)
        first = since if told[0]["op"] != "snap" else told[0]["seq"]
        assert first is not None
        seqs = [message["seq"] for message in told if message["op"] == "ev"]
        assert seqs == list(range(first + 1, channel.last_seq + 1))

    asyncio.run(scene())


def test_lost_hints_only_delay() -> None:
    async def scene() -> None:
        channel = channel_at(0)
        async with aclosing(follow(channel, channel.wakeups, 0, 0.01)) as messages:
            await take(messages, 1)
            channel.commit(hint=False)
            assert shape(await take(messages, 1)) == [("ev", 1)]

    asyncio.run(scene())


def test_a_database_that_is_away_only_delays() -> None:
    async def scene() -> None:
        channel = channel_at(2)
        channel.failures = [OperationalError("", None, Exception()) for _ in range(2)]
        async with aclosing(follow(channel, channel.wakeups, None, NEVER)) as messages:
            assert shape(await take(messages, 2)) == [("snap", 2), ("synced", 2)]

    asyncio.run(scene())


def test_who_stops_following_is_forgotten() -> None:
    async def scene() -> None:
        channel = channel_at(0)
        async with aclosing(follow(channel, channel.wakeups, 0, NEVER)) as messages:
            await take(messages, 1)
            assert channel.wakeups.topics == {channel.topic}
        assert channel.wakeups.topics == set()

    asyncio.run(scene())


def test_a_hint_of_what_is_known_wakes_nobody() -> None:
    async def scene() -> None:
        signal = Signal()
        signal.ring(4)
        assert not await signal.wait(4, 0.01)
        signal.ring(4)
        signal.ring(5)
        assert await signal.wait(4, NEVER)
        signal.ring(3)
        signal.ring()
        assert await signal.wait(9, NEVER)

    asyncio.run(scene())
