"""The gateway's tables. Amounts are whole chips; times are microseconds since 1970."""

from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Dialect

from services.common.eventlog.outbox import from_microseconds, to_microseconds

METADATA: Final = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


class UtcTime(sa.TypeDecorator[datetime]):
    """An aware UTC datetime, exact to the microsecond, the same on both databases."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Write the time as microseconds; raises TypeError for a time without a zone."""
        _ = dialect
        return None if value is None else to_microseconds(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Read the time back."""
        _ = dialect
        return None if value is None else from_microseconds(value)


_ID = sa.String(32)
_WORD = sa.String(32)
_HASH = sa.String(64)


def _chips(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False)


USERS: Final = sa.Table(
    "users",
    METADATA,
    sa.Column("user_id", _ID, primary_key=True),
    sa.Column("kind", _WORD, nullable=False),
    sa.Column("display_name", sa.String(40), nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    # Counts the changes of the profile.
    sa.Column("revision", sa.BigInteger, nullable=False, server_default="1"),
    sa.Column("username", _WORD),
    # The username without capitals: names that differ in them only are one name.
    sa.Column("username_key", _WORD),
    # Set when the person asked to be forgotten; the row stays as the anonymous id of hands.
    sa.Column("erased_at", UtcTime),
    # The account that a guest's matches were moved to.
    sa.Column("merged_into", _ID, index=True),
    sa.Index("uq_users_username_key", "username_key", unique=True),
)

CREDENTIALS: Final = sa.Table(
    "credentials",
    METADATA,
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), primary_key=True),
    # Argon2id with its parameters and salt.
    sa.Column("password_hash", sa.String(255), nullable=False),
    sa.Column("email", sa.String(254)),
    # SHA-256 of the Idempotency-Key that made the account.
    sa.Column("key_hash", _HASH, nullable=False),
)

RECOVERY_CODES: Final = sa.Table(
    "recovery_codes",
    METADATA,
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), primary_key=True),
    sa.Column("code_hash", _HASH, nullable=False, unique=True),
    sa.Column("created_at", UtcTime, nullable=False),
)

PERSONAL_TOKENS: Final = sa.Table(
    "personal_tokens",
    METADATA,
    sa.Column("token_id", _ID, primary_key=True),
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), nullable=False, index=True),
    sa.Column("token_hash", _HASH, nullable=False, unique=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("scopes", sa.String(64), nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("expires_at", UtcTime, nullable=False),
    sa.Column("last_used_at", UtcTime),
)

MERGE_OFFERS: Final = sa.Table(
    "merge_offers",
    METADATA,
    sa.Column("token_hash", _HASH, primary_key=True),
    # The account that may take the guest's matches over.
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), nullable=False, index=True),
    sa.Column("guest_id", _ID, sa.ForeignKey(USERS.c.user_id), nullable=False, index=True),
    sa.Column("expires_at", UtcTime, nullable=False),
)

SESSIONS: Final = sa.Table(
    "sessions",
    METADATA,
    # SHA-256 of the token in hex: whoever reads the database cannot become anybody.
    sa.Column("token_hash", _HASH, primary_key=True),
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), nullable=False, index=True),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("expires_at", UtcTime, nullable=False, index=True),
    # What the session is called outside; of older rows, made up when first asked for.
    sa.Column("session_id", _ID),
    sa.Column("last_seen_at", UtcTime),
    sa.Column("agent", sa.String(40)),
    sa.Index("uq_sessions_session_id", "session_id", unique=True),
)

PREFERENCES: Final = sa.Table(
    "preferences",
    METADATA,
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), primary_key=True),
    sa.Column("kind", _WORD, primary_key=True),
    # Counts the changes; also the reset to the defaults, which are a null body.
    sa.Column("revision", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text),
    sa.Column("updated_at", UtcTime, nullable=False),
)

RULESETS: Final = sa.Table(
    "rulesets",
    METADATA,
    sa.Column("ruleset_hash", _HASH, primary_key=True),
    sa.Column("ruleset_id", _WORD, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

TABLES: Final = sa.Table(
    "tables",
    METADATA,
    sa.Column("table_id", _ID, primary_key=True),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("last_seq", sa.BigInteger, nullable=False),
    sa.Column("turn_seat", sa.Integer),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    # When the version was reached; null for tables from before this column.
    sa.Column("moved_at", UtcTime),
)

_HAS_TURN = sa.text("turn_seat IS NOT NULL")
sa.Index("ix_tables_turn", TABLES.c.turn_seat, sqlite_where=_HAS_TURN, postgresql_where=_HAS_TURN)

_OPEN = sa.text("state IN ('in_hand', 'between_hands', 'busted')")

MATCHES: Final = sa.Table(
    "matches",
    METADATA,
    sa.Column("match_id", _ID, primary_key=True),
    sa.Column("table_id", _ID, sa.ForeignKey(TABLES.c.table_id), nullable=False, unique=True),
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), nullable=False, index=True),
    # The id that the match's events tell of its player, when that is not its owner's: a guest
    # whose matches were moved to an account.
    sa.Column("played_as", _ID),
    sa.Column("ruleset_hash", _HASH, sa.ForeignKey(RULESETS.c.ruleset_hash), nullable=False),
    sa.Column("state", _WORD, nullable=False),
    sa.Column("closing", _WORD),
    sa.Column("end_reason", _WORD),
    sa.Column("started_at", UtcTime, nullable=False),
    sa.Column("kept_until", UtcTime, nullable=False),
    sa.Column("settled_at", UtcTime),
    _chips("buy_in_chips"),
    _chips("stack_chips"),
    _chips("river_stack_chips"),
    _chips("result_chips"),
    _chips("biggest_pot_won_chips"),
    _chips("biggest_pot_lost_chips"),
    sa.Column("button", sa.Integer, nullable=False),
    sa.Column("hand_no", sa.Integer, nullable=False),
    sa.Column("hand_id", _ID),
    sa.Column("hands", sa.Integer, nullable=False),
    sa.Column("moves", sa.Integer, nullable=False),
    sa.Column("hand_moves", sa.Integer, nullable=False),
    sa.Column("ai_decided", sa.Integer, nullable=False),
    sa.Column("next_commit_root", _HASH),
    sa.CheckConstraint("stack_chips >= 0 AND river_stack_chips >= 0", name="stacks"),
)

# One open match per identity, whatever races (HU-007).
sa.Index(
    "uq_matches_open",
    MATCHES.c.user_id,
    unique=True,
    sqlite_where=_OPEN,
    postgresql_where=_OPEN,
)

sa.Index("ix_matches_kept_until", MATCHES.c.kept_until, sqlite_where=_OPEN, postgresql_where=_OPEN)
_CLOSING = sa.text("closing IS NOT NULL")
sa.Index("ix_matches_closing", MATCHES.c.closing, sqlite_where=_CLOSING, postgresql_where=_CLOSING)

TOP_UPS: Final = sa.Table(
    "match_top_ups",
    METADATA,
    sa.Column("match_id", _ID, sa.ForeignKey(MATCHES.c.match_id), primary_key=True),
    sa.Column("top_up_no", sa.Integer, primary_key=True),
    _chips("chips"),
    sa.Column("at", UtcTime, nullable=False),
    sa.CheckConstraint("chips > 0", name="chips"),
)

HANDS: Final = sa.Table(
    "hands",
    METADATA,
    sa.Column("hand_id", _ID, primary_key=True),
    sa.Column("match_id", _ID, sa.ForeignKey(MATCHES.c.match_id), nullable=False),
    sa.Column("hand_no", sa.Integer, nullable=False),
    sa.Column("ruleset_hash", _HASH, sa.ForeignKey(RULESETS.c.ruleset_hash), nullable=False),
    # riverboat.poker.v1.HandSetup: seats, stacks, button, deck.
    sa.Column("setup", sa.LargeBinary, nullable=False),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.Column("state", _WORD, nullable=False),
    sa.Column("started_at", UtcTime, nullable=False),
    sa.Column("ended_at", UtcTime),
    sa.Column("net_chips", sa.BigInteger),
    sa.Column("bot_version", sa.String(64), nullable=False),
    sa.Column("bot_fallback", sa.Boolean, nullable=False),
    sa.Column("ai_decided", sa.Boolean, nullable=False),
    # Facts that hand lists are filtered by; the pot is known once the hand is finished.
    sa.Column("button", sa.Integer),
    sa.Column("pot_chips", sa.BigInteger),
    # What proves the deal: all null for hands from before there were commitments.
    sa.Column("commit_root", _HASH),
    sa.Column("client_seed", sa.String(64)),
    sa.Column("salt_key", sa.LargeBinary),
    sa.UniqueConstraint("match_id", "hand_no"),
)

# A deck is dealt once, whatever races (ENG-009).
sa.Index("uq_hands_commit_root", HANDS.c.commit_root, unique=True)

# Decks that are committed to and not dealt yet, see `store.prepared`.
PREPARED: Final = sa.Table(
    "prepared_deals",
    METADATA,
    # The table that is dealt it, or the person who has yet to sit down.
    sa.Column("holder", _ID, primary_key=True),
    sa.Column("root", _HASH, nullable=False, unique=True),
    # 52 card indices, in committed order.
    sa.Column("cards", sa.LargeBinary, nullable=False),
    sa.Column("salt_key", sa.LargeBinary, nullable=False),
    sa.Column("prepared_at", UtcTime, nullable=False),
)

ACTIONS: Final = sa.Table(
    "hand_actions",
    METADATA,
    sa.Column("hand_id", _ID, sa.ForeignKey(HANDS.c.hand_id), primary_key=True),
    sa.Column("action_no", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("kind", _WORD, nullable=False),
    sa.Column("to_chips", sa.BigInteger),
    sa.Column("actor", _WORD, nullable=False),
)

EVENTS: Final = sa.Table(
    "table_events",
    METADATA,
    sa.Column("table_id", _ID, sa.ForeignKey(TABLES.c.table_id), primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("hand_id", _ID, index=True),
    sa.Column("name", _WORD, nullable=False),
    sa.Column("at", UtcTime, nullable=False),
    # riverboat.engine.v1.HandEvent in full form, for what happened in a hand.
    sa.Column("event", sa.LargeBinary),
    # Facts that everyone may see, as JSON.
    sa.Column("extras", sa.Text, nullable=False),
)

IDEMPOTENCY: Final = sa.Table(
    "idempotency_keys",
    METADATA,
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), primary_key=True),
    sa.Column("key", sa.String(128), primary_key=True),
    sa.Column("fingerprint", _HASH, nullable=False),
    # Which attempt may commit; a later attempt takes it over when the lease ran out.
    sa.Column("attempt", _HASH, nullable=False),
    sa.Column("leased_until", UtcTime, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False, index=True),
    # Set by the transaction that did the work: enough to build the response again.
    sa.Column("receipt", sa.Text),
    sa.Column("status", sa.Integer),
    sa.Column("body", sa.Text),
)

NOTICE_COUNTERS: Final = sa.Table(
    "notice_counters",
    METADATA,
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), primary_key=True),
    sa.Column("last_seq", sa.BigInteger, nullable=False),
)

NOTICES: Final = sa.Table(
    "notices",
    METADATA,
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), primary_key=True),
    # Without gaps for each person, in the order of the commits.
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("type", _WORD, nullable=False),
    sa.Column("at", UtcTime, nullable=False),
    # What the person may know, as JSON.
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("read_at", UtcTime),
)

CLAIMS: Final = sa.Table(
    "match_claims",
    METADATA,
    sa.Column("match_id", _ID, sa.ForeignKey(MATCHES.c.match_id), primary_key=True),
    # A sweep works on the match until then (a lease).
    sa.Column("claimed_until", UtcTime),
    # The kept_until that the player was warned about.
    sa.Column("warned_for", UtcTime),
)

# Only written while there is a quota for void hands (HU-073), like the table after it.
VISITS: Final = sa.Table(
    "match_visits",
    METADATA,
    sa.Column("match_id", _ID, sa.ForeignKey(MATCHES.c.match_id), primary_key=True),
    # Where its player sat down, as a network.
    sa.Column("network", sa.String(64), nullable=False),
    # Whether a snapshot is known to have reached the player.
    sa.Column("seen", sa.Boolean, nullable=False),
)

VOIDS: Final = sa.Table(
    "void_hands",
    METADATA,
    sa.Column("hand_id", _ID, sa.ForeignKey(HANDS.c.hand_id), primary_key=True),
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), nullable=False, index=True),
    sa.Column("network", sa.String(64), nullable=False, index=True),
    sa.Column("at", UtcTime, nullable=False),
)

TICKETS: Final = sa.Table(
    "ws_tickets",
    METADATA,
    # SHA-256 of the ticket in hex; the row goes when the ticket is used.
    sa.Column("ticket_hash", _HASH, primary_key=True),
    sa.Column("user_id", _ID, sa.ForeignKey(USERS.c.user_id), nullable=False, index=True),
    # The session or token that it was issued to: the connection ends with it.
    sa.Column("session_hash", _HASH, nullable=False),
    sa.Column("expires_at", UtcTime, nullable=False, index=True),
)


def insert_or_ignore(connection: Connection, table: sa.Table, values: dict[str, object]) -> bool:
    """Insert a row unless one with its key is there already; returns whether it was new."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    # What it returns, because the row count of an INSERT is not reliable everywhere.
    statement = insert(table).values(values).on_conflict_do_nothing().returning(sa.literal(1))
    return connection.execute(statement).one_or_none() is not None
