"""Create the gateway's tables and its outbox.

Revision: 0001, the first.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_OPEN = sa.text("state IN ('in_hand', 'between_hands', 'busted')")


def upgrade() -> None:
    _people()
    _tables()
    _matches()
    _hands()
    _outbox()


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")


def _people() -> None:
    op.create_table(
        "users",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("display_name", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_users")),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.user_id"], name=op.f("fk_sessions_user_id")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"], unique=False)
    op.create_table(
        "idempotency_keys",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.String(length=64), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("receipt", sa.Text(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.user_id"], name=op.f("fk_idempotency_keys_user_id")
        ),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_idempotency_keys")),
    )


def _tables() -> None:
    op.create_table(
        "rulesets",
        sa.Column("ruleset_hash", sa.String(length=64), nullable=False),
        sa.Column("ruleset_id", sa.String(length=32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("ruleset_hash", name=op.f("pk_rulesets")),
    )
    op.create_table(
        "tables",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("turn_seat", sa.Integer(), nullable=True),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_tables")),
    )


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("ruleset_hash", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("closing", sa.String(length=32), nullable=True),
        sa.Column("end_reason", sa.String(length=32), nullable=True),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("kept_until", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.Column("buy_in_chips", sa.BigInteger(), nullable=False),
        sa.Column("stack_chips", sa.BigInteger(), nullable=False),
        sa.Column("river_stack_chips", sa.BigInteger(), nullable=False),
        sa.Column("result_chips", sa.BigInteger(), nullable=False),
        sa.Column("biggest_pot_won_chips", sa.BigInteger(), nullable=False),
        sa.Column("biggest_pot_lost_chips", sa.BigInteger(), nullable=False),
        sa.Column("button", sa.Integer(), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("hand_id", sa.String(length=32), nullable=True),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("hand_moves", sa.Integer(), nullable=False),
        sa.Column("ai_decided", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "stack_chips >= 0 AND river_stack_chips >= 0", name=op.f("ck_matches_stacks")
        ),
        sa.ForeignKeyConstraint(
            ["ruleset_hash"], ["rulesets.ruleset_hash"], name=op.f("fk_matches_ruleset_hash")
        ),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.table_id"], name=op.f("fk_matches_table_id")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.user_id"], name=op.f("fk_matches_user_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_matches")),
        sa.UniqueConstraint("table_id", name=op.f("uq_matches_table_id")),
    )
    op.create_index(op.f("ix_matches_user_id"), "matches", ["user_id"], unique=False)
    op.create_index(
        "uq_matches_open",
        "matches",
        ["user_id"],
        unique=True,
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    )
    op.create_table(
        "match_top_ups",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("top_up_no", sa.Integer(), nullable=False),
        sa.Column("chips", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("chips > 0", name=op.f("ck_match_top_ups_chips")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_match_top_ups_match_id")
        ),
        sa.PrimaryKeyConstraint("match_id", "top_up_no", name=op.f("pk_match_top_ups")),
    )


def _hands() -> None:
    op.create_table(
        "hands",
        sa.Column("hand_id", sa.String(length=32), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("ruleset_hash", sa.String(length=64), nullable=False),
        sa.Column("setup", sa.LargeBinary(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("net_chips", sa.BigInteger(), nullable=True),
        sa.Column("bot_version", sa.String(length=64), nullable=False),
        sa.Column("bot_fallback", sa.Boolean(), nullable=False),
        sa.Column("ai_decided", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.match_id"], name=op.f("fk_hands_match_id")),
        sa.ForeignKeyConstraint(
            ["ruleset_hash"], ["rulesets.ruleset_hash"], name=op.f("fk_hands_ruleset_hash")
        ),
        sa.PrimaryKeyConstraint("hand_id", name=op.f("pk_hands")),
        sa.UniqueConstraint("match_id", "hand_no", name=op.f("uq_hands_match_id")),
    )
    op.create_table(
        "hand_actions",
        sa.Column("hand_id", sa.String(length=32), nullable=False),
        sa.Column("action_no", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("to_chips", sa.BigInteger(), nullable=True),
        sa.Column("actor", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["hand_id"], ["hands.hand_id"], name=op.f("fk_hand_actions_hand_id")
        ),
        sa.PrimaryKeyConstraint("hand_id", "action_no", name=op.f("pk_hand_actions")),
    )
    op.create_table(
        "table_events",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hand_id", sa.String(length=32), nullable=True),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("event", sa.LargeBinary(), nullable=True),
        sa.Column("extras", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.table_id"], name=op.f("fk_table_events_table_id")
        ),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_table_events")),
    )
    op.create_index(op.f("ix_table_events_hand_id"), "table_events", ["hand_id"], unique=False)


def _outbox() -> None:
    position = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "outbox",
        sa.Column("position", position, primary_key=True, autoincrement=True),
        sa.Column("event_id", sa.String(length=128), nullable=False, unique=True),
        sa.Column("type", sa.String(length=128), nullable=False),
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("time_us", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(length=128), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "outbox_relays",
        sa.Column("name", sa.String(length=64), primary_key=True),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("held_until_us", sa.BigInteger(), nullable=False),
    )
