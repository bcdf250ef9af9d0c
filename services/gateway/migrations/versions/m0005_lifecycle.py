"""Void hands, notices and the sweep.

Revision: 0005, after 0004.
"""

import sqlalchemy as sa
from alembic import op

from proto.engine.v1 import engine_pb2
from proto.poker.v1 import poker_pb2

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_OPEN = sa.text("state IN ('in_hand', 'between_hands', 'busted')")
_HAS_TURN = sa.text("turn_seat IS NOT NULL")
_CLOSING = sa.text("closing IS NOT NULL")

BATCH = 1_000
_HANDS = sa.table(
    "hands",
    sa.column("hand_id", sa.String),
    sa.column("setup", sa.LargeBinary),
    sa.column("button", sa.Integer),
    sa.column("pot_chips", sa.BigInteger),
)
_EVENTS = sa.table(
    "table_events",
    sa.column("hand_id", sa.String),
    sa.column("name", sa.String),
    sa.column("event", sa.LargeBinary),
)


def upgrade() -> None:
    """Bring the schema forward; the hands of before learn their button and pot."""
    _notices()
    _sweep()
    _voids()
    op.add_column("hands", sa.Column("button", sa.Integer(), nullable=True))
    op.add_column("hands", sa.Column("pot_chips", sa.BigInteger(), nullable=True))
    _fill_hands()


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")


def _notices() -> None:
    op.create_table(
        "notice_counters",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.user_id"], name=op.f("fk_notice_counters_user_id")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_notice_counters")),
    )
    op.create_table(
        "notices",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("type", sa.String(length=32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.user_id"], name=op.f("fk_notices_user_id")),
        sa.PrimaryKeyConstraint("user_id", "seq", name=op.f("pk_notices")),
    )


def _sweep() -> None:
    op.add_column("tables", sa.Column("moved_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "match_claims",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("claimed_until", sa.BigInteger(), nullable=True),
        sa.Column("warned_for", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_match_claims_match_id")
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_match_claims")),
    )
    for name, table, column, where in (
        ("ix_tables_turn", "tables", "turn_seat", _HAS_TURN),
        ("ix_matches_kept_until", "matches", "kept_until", _OPEN),
        ("ix_matches_closing", "matches", "closing", _CLOSING),
        ("ix_idempotency_keys_created_at", "idempotency_keys", "created_at", None),
        ("ix_sessions_expires_at", "sessions", "expires_at", None),
    ):
        op.create_index(op.f(name), table, [column], sqlite_where=where, postgresql_where=where)


def _voids() -> None:
    op.create_table(
        "match_visits",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("network", sa.String(length=64), nullable=False),
        sa.Column("seen", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_match_visits_match_id")
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_match_visits")),
    )
    op.create_table(
        "void_hands",
        sa.Column("hand_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("network", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["hand_id"], ["hands.hand_id"], name=op.f("fk_void_hands_hand_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.user_id"], name=op.f("fk_void_hands_user_id")),
        sa.PrimaryKeyConstraint("hand_id", name=op.f("pk_void_hands")),
    )
    op.create_index(op.f("ix_void_hands_user_id"), "void_hands", ["user_id"])
    op.create_index(op.f("ix_void_hands_network"), "void_hands", ["network"])


def _fill_hands() -> None:
    """Work in bounded batches: a busy server has millions of hands."""
    connection, last = op.get_bind(), ""
    while True:
        query = sa.select(_HANDS.c.hand_id, _HANDS.c.setup).where(_HANDS.c.hand_id > last)
        batch = connection.execute(query.order_by(_HANDS.c.hand_id).limit(BATCH)).all()
        if not batch:
            return
        pots = _pots(connection, [row.hand_id for row in batch])
        for row in batch:
            button = poker_pb2.HandSetup.FromString(bytes(row.setup)).button
            connection.execute(
                sa.update(_HANDS)
                .where(_HANDS.c.hand_id == row.hand_id)
                .values(button=button, pot_chips=pots.get(row.hand_id))
            )
        last = batch[-1].hand_id


def _pots(connection: sa.Connection, hand_ids: list[str]) -> dict[str, int]:
    """Return the chips that hands awarded, those of all pots together."""
    pots: dict[str, int] = {}
    awards = sa.select(_EVENTS.c.hand_id, _EVENTS.c.event).where(
        _EVENTS.c.name == "pot.awarded", _EVENTS.c.hand_id.in_(hand_ids)
    )
    for row in connection.execute(awards):
        event = engine_pb2.HandEvent.FromString(bytes(row.event))
        pots[row.hand_id] = pots.get(row.hand_id, 0) + event.pot_awarded.chips
    return pots
