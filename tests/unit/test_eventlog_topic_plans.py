"""How the topics are to be, and how a broker's answer is compared with that."""

from typing import Any, cast

import pytest
from kafka import KafkaAdminClient

from services.common.eventlog.kafka import DEAD_LETTER_TOPIC, MATCHES_TOPIC
from services.common.eventlog.topics import Topic, _compare, plan_topics


class Broker:
    """Answers as one that knows these settings of every topic."""

    def __init__(self, configs: dict[str, str]) -> None:
        self.configs = configs

    def describe_configs(self, resources: list[Any], config_filter: str) -> dict[str, Any]:
        assert config_filter == "all"
        known = {name: {"value": value} for name, value in self.configs.items()}
        return {"topic": {resource.name: known for resource in resources}}


def differences(topic: Topic, copies: list[int], configs: dict[str, str]) -> dict[str, str]:
    """What differs, to how it was found."""
    admin = cast("KafkaAdminClient", Broker(configs))
    return {
        setting: found
        for setting, wanted, found in _compare(admin, topic, copies)
        if wanted != found
    }


def test_both_topics_lose_records_by_age_alone() -> None:
    for topic, days in zip(plan_topics(), (30, 365), strict=True):
        assert topic.configs["cleanup.policy"] == "delete"
        assert topic.configs["retention.ms"] == str(days * 86_400_000)
        assert topic.configs["retention.bytes"] == "-1"


def test_partitions_are_for_matches_and_dead_letters_have_one() -> None:
    shape = [(topic.name, topic.partitions) for topic in plan_topics(partitions=24)]
    assert shape == [(MATCHES_TOPIC, 24), (DEAD_LETTER_TOPIC, 1)]


@pytest.mark.parametrize(("replicas", "in_sync"), [(-1, None), (1, None), (2, None), (3, "2")])
def test_a_record_needs_two_copies_where_there_are_three(
    replicas: int, in_sync: str | None
) -> None:
    for topic in plan_topics(replicas=replicas):
        assert topic.configs.get("min.insync.replicas") == in_sync


def test_copies_are_compared_unless_they_are_the_brokers_choice() -> None:
    three, any_number = plan_topics(1, 3)[0], plan_topics(1)[0]
    assert differences(three, [3], dict(three.configs)) == {}
    assert differences(three, [1], dict(three.configs)) == {"replicas": "1"}
    assert differences(any_number, [1], dict(any_number.configs)) == {}


def test_partitions_with_different_copies_are_told_as_a_range() -> None:
    topic = plan_topics(2, 3)[0]
    assert differences(topic, [3, 2], dict(topic.configs)) == {"replicas": "2..3"}


def test_a_setting_that_the_broker_does_not_know_is_a_difference() -> None:
    topic = plan_topics(1)[0]
    configs = {name: value for name, value in topic.configs.items() if name != "retention.bytes"}
    assert differences(topic, [1], configs) == {"retention.bytes": ""}
