"""How long each service takes to stop at most, as the code has it."""

from typing import Final

from services.common.grpc_server import ServerOptions
from services.gateway.app import DRAIN_SECONDS as REQUESTS_SECONDS
from services.gateway.live.service import DRAIN_SECONDS as LIVE_SECONDS

_OPTIONS = ServerOptions(listen="127.0.0.1:0")
_GRPC_SECONDS = _OPTIONS.lame_duck_seconds + _OPTIONS.grace_seconds

MARGIN_SECONDS: Final = 5
"""For the batch in hand, for closing files and connections, and for a busy machine."""

DRAIN_SECONDS: Final = {
    "engine": _GRPC_SECONDS,
    "bot": _GRPC_SECONDS,
    "ledger": _GRPC_SECONDS,
    "gateway": LIVE_SECONDS + REQUESTS_SECONDS,
}
