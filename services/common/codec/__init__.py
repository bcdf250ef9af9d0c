"""`poker` values <-> proto messages, both ways.

Decoding is strict: an unknown card, an unspecified enum, a missing part or a seat outside
1..10 raises `poker.errors.MalformedError`. What the parts mean together is for `poker`.
"""

from services.common.codec.bot_view import (
    BotView,
    PublicSeat,
    decode_bot_view,
    encode_bot_view,
)
from services.common.codec.events import decode_events, encode_event, encode_events, write_events
from services.common.codec.fields import CHIPS_MAX, decode_cards, encode_cards, refuse
from services.common.codec.hand import (
    ACTIONS_MAX,
    decode_action,
    decode_hand,
    decode_legal,
    decode_rules,
    decode_setup,
    encode_action,
    encode_hand,
    encode_legal,
    encode_rules,
    encode_setup,
    write_legal,
)
from services.common.codec.results import (
    decode_public_action,
    decode_result,
    decode_shown_hand,
    encode_public_action,
    encode_result,
    encode_shown_hand,
)
from services.common.codec.snapshot import decode_snapshot, encode_snapshot, write_snapshot

__all__ = [
    "ACTIONS_MAX",
    "CHIPS_MAX",
    "BotView",
    "PublicSeat",
    "decode_action",
    "decode_bot_view",
    "decode_cards",
    "decode_events",
    "decode_hand",
    "decode_legal",
    "decode_public_action",
    "decode_result",
    "decode_rules",
    "decode_setup",
    "decode_shown_hand",
    "decode_snapshot",
    "encode_action",
    "encode_bot_view",
    "encode_cards",
    "encode_event",
    "encode_events",
    "encode_hand",
    "encode_legal",
    "encode_public_action",
    "encode_result",
    "encode_rules",
    "encode_setup",
    "encode_shown_hand",
    "encode_snapshot",
    "refuse",
    "write_events",
    "write_legal",
    "write_snapshot",
]
