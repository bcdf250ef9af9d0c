"""The topics that the event log needs: how they are to be, made, compared and widened."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import KafkaError, TopicAlreadyExistsError

from services.common.eventlog.kafka import (
    DEAD_LETTER_TOPIC,
    MATCHES_TOPIC,
    connect_client,
)
from services.common.eventlog.port import EventLogError

DEFAULT_PARTITIONS: Final = 12
"""Most consumers of one group that can share the work. Raising it later moves keys."""

BROKER_DEFAULT_REPLICAS: Final = -1

METADATA_SECONDS: Final = 10.0
"""How long brokers may take to tell one another of new partitions."""

_DAY_MS: Final = 24 * 3600 * 1000
RETENTION_MS: Final = {MATCHES_TOPIC: 30 * _DAY_MS, DEAD_LETTER_TOPIC: 365 * _DAY_MS}


@dataclass(frozen=True, slots=True)
class Topic:
    """How a topic is to be.

    Attributes:
        name: of the topic.
        partitions: at least 1.
        replicas: copies of every record, -1 for the broker's default.
        configs: settings of the topic that differ from, or must not follow, the broker's.

    """

    name: str
    partitions: int
    replicas: int = BROKER_DEFAULT_REPLICAS
    configs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """A topic that is not as it is to be; ``found`` is empty where there is none."""

    topic: str
    setting: str
    wanted: str
    found: str


def plan_topics(
    partitions: int = DEFAULT_PARTITIONS, replicas: int = BROKER_DEFAULT_REPLICAS
) -> tuple[Topic, Topic]:
    """Return the topic of matches and that of dead letters, which has one partition."""
    return (
        Topic(MATCHES_TOPIC, partitions, replicas, _configs(MATCHES_TOPIC, replicas)),
        Topic(DEAD_LETTER_TOPIC, 1, replicas, _configs(DEAD_LETTER_TOPIC, replicas)),
    )


def _configs(name: str, replicas: int) -> dict[str, str]:
    configs = {
        # Never compacted: every event of a match counts, not only the last.
        "cleanup.policy": "delete",
        "retention.ms": str(RETENTION_MS[name]),
        # Age alone removes an event; a busy day must not.
        "retention.bytes": "-1",
        # A replica that missed acknowledged events must never become the leader.
        "unclean.leader.election.enable": "false",
    }
    if replicas >= 3:
        # One replica may be away without a loss and without a stop.
        configs["min.insync.replicas"] = "2"
    return configs


def create_topics(
    bootstrap_servers: str,
    *,
    partitions: int = DEFAULT_PARTITIONS,
    replicas: int = BROKER_DEFAULT_REPLICAS,
) -> list[str]:
    """Create the topics that do not exist yet; an existing one is left as it is.

    Args:
        bootstrap_servers: ``host:port``, several separated by commas.
        partitions: of the topic of matches, at least 1; dead letters have one.
        replicas: copies of every record, -1 for the broker's default.

    Returns:
        The names of the topics that were created.

    Raises:
        EventLogError: the broker cannot be reached or refuses.

    """
    topics = plan_topics(partitions, replicas)
    with _administering(bootstrap_servers) as admin:
        return [topic.name for topic in topics if _create(admin, topic)]


def compare_topics(
    bootstrap_servers: str,
    *,
    partitions: int = DEFAULT_PARTITIONS,
    replicas: int = BROKER_DEFAULT_REPLICAS,
) -> list[Difference]:
    """Return how the topics differ from what `create_topics` makes; changes nothing.

    A missing topic is one difference. Copies that are left to the broker are not compared.

    Raises:
        EventLogError: the broker cannot be reached or refuses.

    """
    topics = plan_topics(partitions, replicas)
    with _administering(bootstrap_servers) as admin:
        copies = _copies(admin)
        return [
            Difference(topic.name, setting, wanted, found)
            for topic in topics
            for setting, wanted, found in _compare(admin, topic, copies.get(topic.name))
            if wanted != found
        ]


def raise_partitions(bootstrap_servers: str, partitions: int) -> list[str]:
    """Give the topic of matches more partitions, if it exists and has fewer.

    Keys move: until every consumer has read what was there before, events of one match may be
    overtaken by later ones. Only for a topic that is read to its end and written by nobody.

    Returns:
        The names of the topics that were changed.

    Raises:
        EventLogError: the broker cannot be reached or refuses.

    """
    with _administering(bootstrap_servers) as admin:
        copies = _copies(admin).get(MATCHES_TOPIC)
        if copies is None or len(copies) >= partitions:
            return []
        admin.create_partitions({MATCHES_TOPIC: partitions})
        _await_partitions(admin, partitions)
        return [MATCHES_TOPIC]


@contextmanager
def _administering(bootstrap_servers: str) -> Iterator[KafkaAdminClient]:
    options = {"bootstrap_timeout_ms": 10_000}
    admin = connect_client(bootstrap_servers, KafkaAdminClient, options)
    try:
        yield admin
    except KafkaError as error:
        raise EventLogError(f"the broker refuses: {type(error).__name__}") from error
    finally:
        admin.close()


def _create(admin: KafkaAdminClient, topic: Topic) -> bool:
    options: dict[str, Any] = {
        "num_partitions": topic.partitions,
        "replication_factor": topic.replicas,
        "configs": dict(topic.configs),
    }
    try:
        admin.create_topics({topic.name: options}, wait_for_metadata=True)
    except TopicAlreadyExistsError:
        return False
    except KafkaError as error:
        raise EventLogError(f"{topic.name} was not created: {type(error).__name__}") from error
    return True


def _await_partitions(admin: KafkaAdminClient, partitions: int) -> None:
    """Return when a broker that is asked knows of the new partitions."""
    deadline = time.monotonic() + METADATA_SECONDS
    while len(_copies(admin)[MATCHES_TOPIC]) < partitions:
        if time.monotonic() > deadline:
            raise EventLogError("the new partitions do not show up")
        time.sleep(0.1)


def _copies(admin: KafkaAdminClient) -> dict[str, list[int]]:
    """Return the number of copies of each partition, by topic; all topics, so none is made."""
    return {
        topic["name"]: [len(partition["replica_nodes"]) for partition in topic["partitions"]]
        for topic in admin.describe_topics()
    }


def _compare(
    admin: KafkaAdminClient, topic: Topic, copies: list[int] | None
) -> Iterator[tuple[str, str, str]]:
    """Yield each setting of a topic, how it is to be and how it is."""
    if copies is None:
        yield "topic", "there", ""
        return
    yield "partitions", str(topic.partitions), str(len(copies))
    if topic.replicas != BROKER_DEFAULT_REPLICAS:
        fewest, most = min(copies), max(copies)
        found = str(fewest) if fewest == most else f"{fewest}..{most}"
        yield "replicas", str(topic.replicas), found
    resource = ConfigResource(ConfigResourceType.TOPIC, topic.name, dict(topic.configs))
    described = admin.describe_configs([resource], config_filter="all")
    found_configs = described["topic"][topic.name]
    for setting, wanted in topic.configs.items():
        # A broker of another make may not know a setting.
        yield setting, wanted, str(found_configs.get(setting, {"value": ""})["value"])
