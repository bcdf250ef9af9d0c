"""The engine's settings."""

from typing import Self

from pydantic import Field, model_validator

from services.common.credentials import GrpcSettings
from services.common.settings import Address, split_address
from services.common.telemetry import TelemetrySettings


class EngineSettings(GrpcSettings, TelemetrySettings):
    """``ENGINE_LISTEN``, ``ENGINE_WORKERS`` (processes on this machine, 1..64), and more.

    ``ENGINE_METRICS_LISTEN`` turns Prometheus metrics on, those of all workers together.
    """

    engine_listen: Address = "127.0.0.1:50051"
    engine_workers: int = Field(default=1, ge=1, le=64)
    engine_metrics_listen: Address | None = None

    @model_validator(mode="after")
    def _fix_the_port_of_workers(self) -> Self:
        if self.engine_workers > 1 and split_address(self.engine_listen)[1] == 0:
            raise ValueError("ENGINE_WORKERS above 1 needs a fixed port in ENGINE_LISTEN")
        return self
