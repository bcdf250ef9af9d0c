"""The ledger's process as production runs it: Kafka, PostgreSQL, migrations as a job."""

import signal

from proto.ledger.v1 import ledger_pb2_grpc
from services.common.eventlog.kafka import KafkaSink
from services.common.eventlog.port import Event
from tests.support.kafka import KafkaServer
from tests.support.ledger_process import DEADLINE_SECONDS, eventually, run, serving, standing
from tests.support.ledgers import whole_match


def test_the_process_consumes_from_kafka_and_goes_on_after_kill_9(
    kafka_process: KafkaServer, postgres_url: str
) -> None:
    servers = {"KAFKA_BOOTSTRAP_SERVERS": kafka_process.bootstrap}
    database = {"DATABASE_URL": postgres_url}
    assert run("topics", **servers, LEDGER_TOPIC_REPLICAS="1").returncode == 0
    assert run("topics", **servers).returncode == 0
    assert run("migrate", **database).returncode == 0
    with serving(**servers, **database) as (process, channel):
        stub = ledger_pb2_grpc.LedgerServiceStub(channel)
        _publish(kafka_process, whole_match("otter", [100, -50]))
        eventually(lambda: standing(stub, "otter"), (2, 50))
        process.kill()
        process.wait()
    _publish(kafka_process, whole_match("otter", [7], match_id="second"))
    with serving(**servers, **database) as (process, channel):
        stub = ledger_pb2_grpc.LedgerServiceStub(channel)
        eventually(lambda: standing(stub, "otter"), (3, 57))
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_SECONDS) == 0
    assert run("audit", **database).returncode == 0


def _publish(broker: KafkaServer, events: list[Event]) -> None:
    sink = KafkaSink(broker.bootstrap)
    try:
        sink.publish(events)
    finally:
        sink.close()
