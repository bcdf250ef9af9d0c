"""The ledger's tables.

Truth are ``events`` and the ``transfers`` that follow from them. ``balances``, ``matches``,
``seats``, ``players``, ``merges``, ``seat_days``, ``player_days``, ``standings`` and
``rank_counts`` are projections. Times are microseconds since 1970, 0 for never; days are UTC
days since 1970. Migrations create these tables; tests check that both agree.
"""

from typing import Any

import sqlalchemy as sa

from services.common.eventlog.port import MAX_ID_CHARS
from services.ledger.boards import RANKED_HANDS
from services.ledger.matches import TransferKind

METADATA = sa.MetaData()

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_ID = sa.String(MAX_ID_CHARS)
_ACCOUNT = sa.String(2 * MAX_ID_CHARS + 8)
_STACK = "'stack:' || match_id || ':' || player_id"
_POT = "'pot:' || hand_id"
_KINDS = ", ".join(f"'{kind.value}'" for kind in TransferKind)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")


EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("event_no", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("event_id", _ID, nullable=False, unique=True),
    sa.Column("type", _ID, nullable=False),
    # The event's key: in an event about a player their id, otherwise the match's.
    sa.Column("match_id", _ID, nullable=False),
    sa.Column("source", _ID, nullable=False),
    sa.Column("time_us", sa.BigInteger, nullable=False),
    sa.Column("value", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("applied_us", sa.BigInteger, nullable=False),
    # Hash of the whole row, see rows.seal: what follows from no other table shows a change.
    sa.Column("seal", sa.String(64), nullable=False, server_default=""),
    sqlite_autoincrement=True,
)

TRANSFERS = sa.Table(
    "transfers",
    METADATA,
    sa.Column("transfer_no", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("event_no", _NUMBER, sa.ForeignKey("events.event_no"), nullable=False),
    sa.Column("debit", _ACCOUNT, nullable=False),
    sa.Column("credit", _ACCOUNT, nullable=False),
    sa.Column("chips", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("match_id", _ID, nullable=False),
    sa.Column("hand_id", _ID),
    sa.Column("player_id", _ID, nullable=False),
    sa.Column("posted_us", sa.BigInteger, nullable=False),
    sa.CheckConstraint("chips > 0", "transfers_move_chips"),
    sa.CheckConstraint("debit <> credit", "transfers_have_two_accounts"),
    sa.CheckConstraint(f"kind IN ({_KINDS})", "transfers_have_a_known_kind"),
    # Each names the accounts that its kind, match, player and hand say, so no chip can come from
    # or go to a place that is not theirs.
    sa.CheckConstraint(
        f"CASE kind WHEN 'hand' THEN hand_id IS NOT NULL AND ("
        f"(debit = {_STACK} AND credit = {_POT}) OR (debit = {_POT} AND credit = {_STACK})) "
        f"WHEN 'cash_out' THEN hand_id IS NULL AND debit = {_STACK} AND credit = 'bank' "
        f"ELSE hand_id IS NULL AND debit = 'bank' AND credit = {_STACK} END",
        "transfers_follow_their_kind",
    ),
    # Whatever goes wrong above, one event cannot move the same chips twice.
    sa.UniqueConstraint("event_no", "debit", "credit", name="transfers_once_an_event"),
    sa.Index("transfers_of_player", "player_id", "transfer_no"),
    sa.Index("transfers_of_hand", "hand_id"),
    sqlite_autoincrement=True,
)

HANDS = sa.Table(
    "hands",
    METADATA,
    sa.Column("hand_id", _ID, primary_key=True),
    sa.Column("match_id", _ID, sa.ForeignKey("matches.match_id"), nullable=False),
    sa.Column("hand_no", sa.Integer, nullable=False),
    sa.Column("event_no", _NUMBER, sa.ForeignKey("events.event_no"), nullable=False),
    sa.Column("voided", sa.Boolean, nullable=False),
    sa.Column("put_in_chips", sa.BigInteger, nullable=False),
    sa.Column("won_chips", sa.BigInteger, nullable=False),
    # ENG-005: what goes into the pot comes out of it, to the chip.
    sa.CheckConstraint("put_in_chips = won_chips", "hands_are_zero_sum"),
    sa.CheckConstraint("put_in_chips >= 0", "hands_have_no_negative_pot"),
    sa.CheckConstraint("NOT voided OR put_in_chips = 0", "void_hands_move_no_chips"),
    sa.UniqueConstraint("match_id", "hand_no", name="hands_are_numbered_once"),
    sa.Index("hands_of_event", "event_no", unique=True),
)

BALANCES = sa.Table(
    "balances",
    METADATA,
    sa.Column("account", _ACCOUNT, primary_key=True),
    sa.Column("match_id", _ID, sa.ForeignKey("matches.match_id")),
    sa.Column("player_id", _ID),
    sa.Column("chips", sa.BigInteger, nullable=False),
    sa.CheckConstraint("chips >= 0 OR account = 'bank'", "stacks_are_not_negative"),
    sa.Index("balances_of_match", "match_id", "player_id"),
)

MATCHES = sa.Table(
    "matches",
    METADATA,
    sa.Column("match_id", _ID, primary_key=True),
    sa.Column("table_id", _ID, nullable=False),
    sa.Column("ruleset_id", _ID, nullable=False),
    sa.Column("big_blind_chips", sa.BigInteger, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    _count("hands"),
    _count("last_hand_no"),
    sa.Column("started_us", sa.BigInteger, nullable=False),
    _count("settled_us"),
)

SEATS = sa.Table(
    "seats",
    METADATA,
    sa.Column("match_id", _ID, sa.ForeignKey("matches.match_id"), primary_key=True),
    sa.Column("player_id", _ID, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    _count("hands"),
    _count("net_chips"),
    _count("ai_decided_hands"),
    _count("void_hands"),
    _count("last_played_us"),
    sa.UniqueConstraint("match_id", "number", name="seats_hold_one_player"),
)

PLAYERS = sa.Table(
    "players",
    METADATA,
    sa.Column("player_id", _ID, primary_key=True),
    sa.Column("display_name", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("named_us", sa.BigInteger, nullable=False),
    _count("name_revision"),
    # Whose results theirs are, when they were merged into somebody: the end of the chain.
    sa.Column("owner_id", _ID),
    sa.Index(
        "players_of_owner",
        "owner_id",
        postgresql_where=sa.text("owner_id IS NOT NULL"),
        sqlite_where=sa.text("owner_id IS NOT NULL"),
    ),
)

# Who has become part of whom, each player at most once.
MERGES = sa.Table(
    "merges",
    METADATA,
    sa.Column("player_id", _ID, sa.ForeignKey("players.player_id"), primary_key=True),
    sa.Column("into_id", _ID, sa.ForeignKey("players.player_id"), nullable=False),
    sa.Column("merged_us", sa.BigInteger, nullable=False),
    sa.Column("event_no", _NUMBER, sa.ForeignKey("events.event_no"), nullable=False, unique=True),
    sa.CheckConstraint("player_id <> into_id", "merges_are_of_two"),
)


def _tally() -> list[sa.Column[Any]]:
    return [
        _count("hands"),
        _count("net_chips"),
        # A decimal number: squared chips may pass 64 bits, and SQLite has nothing wider.
        sa.Column("net_squares", sa.String(64), nullable=False, server_default="0"),
        _count("ai_decided_hands"),
        _count("void_hands"),
        _count("last_played_us"),
    ]


# What is counted of each seat, by the day in which hands ended and by River's version.
SEAT_DAYS = sa.Table(
    "seat_days",
    METADATA,
    sa.Column("match_id", _ID, sa.ForeignKey("matches.match_id"), primary_key=True),
    sa.Column("player_id", _ID, primary_key=True),
    sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("version", _ID, primary_key=True),
    sa.Column("board", sa.String(64), nullable=False),
    *_tally(),
    sa.Index("seat_days_of_player", "player_id"),
)

# The same of settled matches, summed up by player.
PLAYER_DAYS = sa.Table(
    "player_days",
    METADATA,
    sa.Column("player_id", _ID, sa.ForeignKey("players.player_id"), primary_key=True),
    sa.Column("board", sa.String(64), primary_key=True),
    sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("version", _ID, primary_key=True),
    *_tally(),
    _count("settled_us"),
)

_RANKED = f"hands >= {RANKED_HANDS}"
_QUALIFYING = f"hands < {RANKED_HANDS} AND hands > 0"

# Sums of player_days: see standings.StandingKey for period and version.
STANDINGS = sa.Table(
    "standings",
    METADATA,
    sa.Column("player_id", _ID, sa.ForeignKey("players.player_id"), primary_key=True),
    sa.Column("board", sa.String(64), primary_key=True),
    sa.Column("period", sa.String(16), primary_key=True),
    sa.Column("version", _ID, primary_key=True),
    *_tally(),
    # The average in the form that orders exactly: see boards.average_key.
    _count("average_whole"),
    _count("average_rest"),
    _count("settled_us"),
    # Oldest day in a row of the rolling window; 0 in others.
    sa.Column("from_day", sa.Integer, nullable=False, server_default="0"),
    sa.Index(
        "standings_ranked",
        "board",
        "period",
        "version",
        sa.text("average_whole DESC"),
        sa.text("average_rest DESC"),
        sa.text("hands DESC"),
        "settled_us",
        "player_id",
        postgresql_where=sa.text(_RANKED),
        sqlite_where=sa.text(_RANKED),
    ),
    sa.Index(
        "standings_qualifying",
        "board",
        "period",
        "version",
        sa.text("hands DESC"),
        sa.text("average_whole DESC"),
        sa.text("average_rest DESC"),
        "settled_us",
        "player_id",
        postgresql_where=sa.text(_QUALIFYING),
        sqlite_where=sa.text(_QUALIFYING),
    ),
    sa.Index(
        "standings_rolling",
        "from_day",
        postgresql_where=sa.text("period = '30d'"),
        sqlite_where=sa.text("period = '30d'"),
    ),
)

# How many ranked players have an average in a stretch: see ranks.
RANK_COUNTS = sa.Table(
    "rank_counts",
    METADATA,
    sa.Column("board", sa.String(64), primary_key=True),
    sa.Column("period", sa.String(16), primary_key=True),
    sa.Column("version", _ID, primary_key=True),
    sa.Column("level", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("slot", sa.BigInteger, primary_key=True, autoincrement=False),
    _count("players"),
)

DEAD_LETTERS = sa.Table(
    "dead_letters",
    METADATA,
    sa.Column("letter_no", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("log", sa.String(160), nullable=False),
    sa.Column("partition", sa.String(16), nullable=False),
    sa.Column("offset", sa.BigInteger, nullable=False),
    sa.Column("event_id", _ID),
    sa.Column("type", _ID),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("value", sa.LargeBinary, nullable=False),
    sa.Column("reason", sa.String(64), nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("buried_us", sa.BigInteger, nullable=False),
    # What else an event is; empty for what is none, and in letters of before it was kept.
    sa.Column("source", _ID),
    sa.Column("time_us", sa.BigInteger),
    # When it was accepted after all, see letters.
    sa.Column("replayed_us", sa.BigInteger),
    sa.UniqueConstraint("log", "partition", "offset", name="dead_letters_once"),
    sqlite_autoincrement=True,
)

POSITIONS = sa.Table(
    "positions",
    METADATA,
    sa.Column("log", sa.String(160), primary_key=True),
    sa.Column("partition", sa.String(16), primary_key=True),
    sa.Column("offset", sa.BigInteger, nullable=False),
    # Dead letters since the last event that was accepted; survives a restart.
    sa.Column("poison_run", sa.Integer, nullable=False, server_default="0"),
    sa.Column("updated_us", sa.BigInteger, nullable=False),
)
