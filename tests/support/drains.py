"""How long each service takes to stop at most, as the code has it."""

from typing import Final

from services.common.eventlog.kafka import CLOSE_SECONDS
from services.common.grpc_server import ServerOptions
from services.common.tracing_export import EXPORT_SECONDS
from services.gateway.app import DRAIN_SECONDS as REQUESTS_SECONDS
from services.gateway.app import LAME_DUCK_SECONDS, RELAY_SECONDS
from services.gateway.live.service import DRAIN_SECONDS as LIVE_SECONDS

_OPTIONS = ServerOptions(listen="127.0.0.1:0")
_GRPC_SECONDS = _OPTIONS.lame_duck_seconds + _OPTIONS.grace_seconds

MARGIN_SECONDS: Final = 5
"""For the batch in hand, for closing files and connections, and for a busy machine."""

_RELAY_SECONDS = RELAY_SECONDS + CLOSE_SECONDS + RELAY_SECONDS

DRAIN_SECONDS: Final = {
    "engine": _GRPC_SECONDS + EXPORT_SECONDS,
    "bot": _GRPC_SECONDS + EXPORT_SECONDS,
    "ledger": _GRPC_SECONDS + EXPORT_SECONDS,
    "gateway": sum(
        (LAME_DUCK_SECONDS, LIVE_SECONDS, REQUESTS_SECONDS, _RELAY_SECONDS, EXPORT_SECONDS)
    ),
}
