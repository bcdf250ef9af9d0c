"""The topics that the event log needs, and how they are made."""

from typing import Any, Final

from kafka import KafkaAdminClient
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

_DAY_MS: Final = 24 * 3600 * 1000
RETENTION_MS: Final = {MATCHES_TOPIC: 30 * _DAY_MS, DEAD_LETTER_TOPIC: 365 * _DAY_MS}


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
    created = []
    options = {"bootstrap_timeout_ms": 10_000}
    admin = connect_client(bootstrap_servers, KafkaAdminClient, options)
    try:
        for name, count in ((MATCHES_TOPIC, partitions), (DEAD_LETTER_TOPIC, 1)):
            if _create(admin, name, count, replicas):
                created.append(name)
    finally:
        admin.close()
    return created


def _create(admin: KafkaAdminClient, name: str, partitions: int, replicas: int) -> bool:
    configs = {"cleanup.policy": "delete", "retention.ms": str(RETENTION_MS[name])}
    if replicas >= 3:
        # One replica may be away without a loss and without a stop.
        configs["min.insync.replicas"] = "2"
    topic: dict[str, Any] = {
        "num_partitions": partitions,
        "replication_factor": replicas,
        "configs": configs,
    }
    try:
        admin.create_topics({name: topic}, wait_for_metadata=True)
    except TopicAlreadyExistsError:
        return False
    except KafkaError as error:
        raise EventLogError(f"{name} was not created: {type(error).__name__}") from error
    return True
