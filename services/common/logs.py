"""Structured logs: one JSON object a line on standard error.

Logs never hold decks, hole cards, seeds or session tokens, so nothing here prints the
values of local variables.
"""

import logging
import sys
from typing import Literal

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from services.common.tracing import current_trace_id

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]


def configure_logging(service: str, level: LogLevel = "INFO") -> None:
    """Send structlog's and the standard library's records to stderr as JSON lines.

    ``service`` names the process in every line. Call once, from ``__main__``.
    """
    shared = _shared_processors(service)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        # Drops what the level leaves out before any work is done for it.
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    # At DEBUG gRPC writes several lines a call about its own event loop.
    logging.getLogger("grpc").setLevel(max(root.level, logging.WARNING))


def get_logger(name: str) -> FilteringBoundLogger:
    """Return the logger of a module."""
    logger: FilteringBoundLogger = structlog.get_logger(name)
    return logger


def stack_of(error: BaseException) -> list[str]:
    """Return where an exception came from, without its message.

    A message may quote data that must not be logged (a ``KeyError`` quotes its key), so an
    unexpected error is logged as its type and these ``file:line function`` entries.
    """
    frames: list[str] = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        frames.append(f"{code.co_filename}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return frames


def _name_trace(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Tell which trace a line belongs to, so that one leads to the other."""
    trace_id = current_trace_id()
    if trace_id is not None:
        event["trace_id"] = trace_id
    return event


def _shared_processors(service: str) -> list[Processor]:
    def name_service(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event["service"] = service
        return event

    return [
        structlog.contextvars.merge_contextvars,
        _name_trace,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        name_service,
    ]
