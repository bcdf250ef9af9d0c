"""A real Apache Kafka broker for tests.

In this order: the one that KAFKA_BOOTSTRAP_SERVERS names, a container, Apache's own jars by
Maven and Java. `UnavailableError` says what was tried.
"""

import contextlib
import hashlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path

from tests.support.containers import engine_listens, kafka_container
from tests.support.guarded import ServerProcess, free_port

REPO = Path(__file__).resolve().parents[2]
POM = Path(__file__).parent / "broker" / "pom.xml"
LOG4J = POM.parent / "log4j2.properties"
CACHE = REPO / ".cache" / "kafka"
READY_SECONDS = 60.0

API_VERSIONS_REQUEST = struct.pack(">ihhih", 10, 18, 0, 1, -1)
"""Length, API key, version, correlation id, no client id: the first request of any client."""

JAVA_OPTIONS = (
    "-Xms256m",
    "-Xmx512m",
    # A test broker lives for a minute: start fast, don't optimise for hours.
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    f"-Dlog4j2.configurationFile={LOG4J}",
)


class UnavailableError(Exception):
    """No real server can be had here; the text says why."""


class KafkaServer:
    """One Apache Kafka node in KRaft mode, with its data in a directory of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.jars = _jars()
        self.bootstrap = f"127.0.0.1:{free_port()}"
        self._config = home / "server.properties"
        self._config.write_text(self._properties())
        self._format()
        self.server = ServerProcess(
            [*self._java(), "kafka.Kafka", str(self._config)],
            home / "broker.log",
            stop_signal=signal.SIGTERM,
        )

    def start(self) -> None:
        """Start, again if need be, and return when the broker answers."""
        self.server.start()
        deadline = time.monotonic() + READY_SECONDS
        while not _answers(self.bootstrap):
            if not self.server.running or time.monotonic() > deadline:
                self.server.stop()
                raise UnavailableError(f"Apache Kafka did not start:\n{self.server.tail()}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop in an orderly way."""
        self.server.stop()

    def kill(self) -> None:
        """End at once (kill -9)."""
        self.server.kill()

    def _java(self) -> list[str]:
        return ["java", *JAVA_OPTIONS, "-cp", f"{self.jars}/*"]

    def _format(self) -> None:
        cluster = urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
        tool = ["kafka.tools.StorageTool", "format", "--standalone", f"--cluster-id={cluster}"]
        done = subprocess.run(
            [*self._java(), *tool, f"--config={self._config}"],
            capture_output=True,
            text=True,
            check=False,
            timeout=READY_SECONDS,
        )
        if done.returncode != 0:
            raise UnavailableError(
                f"Kafka's storage could not be formatted: {done.stdout}{done.stderr}"
            )

    def _properties(self) -> str:
        controller = f"127.0.0.1:{free_port()}"
        return "\n".join(
            (
                "process.roles=broker,controller",
                "node.id=1",
                f"listeners=PLAINTEXT://{self.bootstrap},CONTROLLER://{controller}",
                f"advertised.listeners=PLAINTEXT://{self.bootstrap},CONTROLLER://{controller}",
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "controller.listener.names=CONTROLLER",
                f"controller.quorum.bootstrap.servers={controller}",
                f"log.dirs={self.home / 'data'}",
                "auto.create.topics.enable=false",
                "offsets.topic.replication.factor=1",
                "offsets.topic.num.partitions=4",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1",
                "transaction.state.log.num.partitions=4",
                "share.coordinator.state.topic.replication.factor=1",
                "share.coordinator.state.topic.min.isr=1",
                "group.initial.rebalance.delay.ms=0",
                "group.min.session.timeout.ms=1000",
                "",
            )
        )


@contextlib.contextmanager
def kafka_server() -> Iterator[KafkaServer]:
    """Run a broker of one's own, for tests that kill it.

    Raises:
        UnavailableError: without Java or Maven.

    """
    home = Path(tempfile.mkdtemp(prefix="riverboat-kafka-"))
    try:
        server = KafkaServer(home)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextlib.contextmanager
def kafka_bootstrap_servers() -> Iterator[str]:
    """Give the address of a running broker.

    Raises:
        UnavailableError: when there is no way to get one.

    """
    given = os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    if given:
        if not _answers(given):
            raise UnavailableError(f"KAFKA_BOOTSTRAP_SERVERS={given} does not answer")
        yield given
        return
    with contextlib.ExitStack() as stack:
        container = _container(stack)
        yield container or stack.enter_context(kafka_server()).bootstrap


@contextlib.contextmanager
def fresh_topic(bootstrap: str, partitions: int) -> Iterator[str]:
    """Give the name of an empty topic, deleted afterwards."""
    from kafka import KafkaAdminClient

    from services.common.eventlog.kafka_client import tidy_client

    name = f"test-{uuid.uuid4().hex}"
    admin = KafkaAdminClient(bootstrap_servers=bootstrap, kafka_client=tidy_client)
    try:
        options = {"num_partitions": partitions, "replication_factor": 1}
        admin.create_topics({name: options}, wait_for_metadata=True)
        yield name
        admin.delete_topics([name])
    finally:
        admin.close()


def _container(stack: contextlib.ExitStack) -> str | None:
    """Start Kafka in a container, or return None where no engine answers."""
    if not engine_listens():
        return None
    bootstrap = stack.enter_context(kafka_container())
    deadline = time.monotonic() + READY_SECONDS
    while not _answers(bootstrap):
        if time.monotonic() > deadline:
            raise UnavailableError("Kafka in a container did not start")
        time.sleep(0.2)
    return bootstrap


def _answers(bootstrap: str) -> bool:
    """Tell whether a broker serves requests; by hand, as a client fails noisily when none does."""
    host, port = bootstrap.split(",", maxsplit=1)[0].rsplit(":", 1)
    try:
        with socket.create_connection((host, int(port)), timeout=2) as connection:
            connection.sendall(API_VERSIONS_REQUEST)
            return len(connection.recv(10)) == 10
    except OSError:
        return False


def _jars() -> Path:
    """Return the directory of Apache Kafka's jars, fetched by Maven on first use."""
    missing = [tool for tool in ("java", "mvn") if shutil.which(tool) is None]
    target = CACHE / hashlib.sha256(POM.read_bytes()).hexdigest()[:16]
    if "java" in missing:
        raise UnavailableError("no broker in KAFKA_BOOTSTRAP_SERVERS, no container engine, no Java")
    if target.is_dir():
        return target
    if missing:
        raise UnavailableError("Maven is needed once to fetch Apache Kafka")
    CACHE.mkdir(parents=True, exist_ok=True)
    # Fetched aside and renamed, so that an interrupted download is never mistaken for one.
    aside = Path(tempfile.mkdtemp(dir=CACHE, prefix="fetching-"))
    goal = "dependency:copy-dependencies"
    command = ["mvn", "-q", "-B", "-f", str(POM), goal, f"-DoutputDirectory={aside}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    if done.returncode != 0:
        shutil.rmtree(aside, ignore_errors=True)
        raise UnavailableError(f"Maven could not fetch Apache Kafka: {done.stdout[-2000:]}")
    with contextlib.suppress(OSError):  # another test process was first
        aside.rename(target)
    shutil.rmtree(aside, ignore_errors=True)
    return target
