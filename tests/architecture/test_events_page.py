"""The page for consumers of events names everything that they meet in the topics."""

from pathlib import Path

from services.common.eventlog.cloudevents import HEADERS, LETTER_HEADERS, UNDECODABLE
from services.common.eventlog.schemas import MESSAGES, SCHEMA_PREFIX
from services.common.eventlog.topics import DEFAULT_PARTITIONS, RETENTION_MS, plan_topics

PAGE = Path(__file__).parents[2] / "docs/events.md"
DAY_MS = 24 * 3600 * 1000


def unsaid(page: str) -> list[str]:
    """Names of the code that a page leaves out."""
    names = [*HEADERS, *LETTER_HEADERS, UNDECODABLE, SCHEMA_PREFIX, *MESSAGES]
    names += [message.DESCRIPTOR.name for message in MESSAGES.values()]
    names += [setting for topic in plan_topics(replicas=3) for setting in topic.configs]
    # These two are told in the table of topics, in the words of people.
    told = {"cleanup.policy", "retention.ms", "retention.bytes"}
    return sorted({name for name in names if name not in page} - told)


def untrue(page: str) -> list[str]:
    """Topics whose row in the table is not what the code makes."""
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| `riverboat.")]
    found = {row[0].strip().strip("`"): [cell.strip() for cell in row[3:]] for row in rows}
    return [
        topic.name
        for topic in plan_topics()
        if found.get(topic.name)
        != [
            "12 unless configured" if topic.partitions == DEFAULT_PARTITIONS else "1",
            f"{RETENTION_MS[topic.name] // DAY_MS} days",
            {"delete": "no"}.get(topic.configs["cleanup.policy"], "yes"),
        ]
    ]


def test_the_page_names_every_topic_header_type_and_message() -> None:
    assert unsaid(PAGE.read_text()) == []
    assert untrue(PAGE.read_text()) == []


def test_what_a_page_leaves_out_or_gets_wrong_is_found() -> None:
    page = PAGE.read_text()
    assert unsaid(page.replace("`ce_subject`", "")) == ["ce_subject"]
    assert unsaid(page.replace("`HandVoided`", "")) == ["HandVoided"]
    assert untrue(page.replace("365 days", "90 days")) == ["riverboat.matches.v1.dead"]
