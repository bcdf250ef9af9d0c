"""The ledger's first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "dead_letters",
        sa.Column("letter_no", NUMBER, autoincrement=True, nullable=False),
        sa.Column("log", sa.String(length=160), nullable=False),
        sa.Column("partition", sa.String(length=16), nullable=False),
        sa.Column("offset", sa.BigInteger(), nullable=False),
        sa.Column("event_id", sa.String(length=128), nullable=True),
        sa.Column("type", sa.String(length=128), nullable=True),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("buried_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("letter_no"),
        sa.UniqueConstraint("log", "partition", "offset", name="dead_letters_once"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "events",
        sa.Column("event_no", NUMBER, autoincrement=True, nullable=False),
        sa.Column("event_id", sa.String(length=128), nullable=False),
        sa.Column("type", sa.String(length=128), nullable=False),
        sa.Column("match_id", sa.String(length=128), nullable=False),
        sa.Column("source", sa.String(length=128), nullable=False),
        sa.Column("time_us", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("applied_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("event_no"),
        sa.UniqueConstraint("event_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "matches",
        sa.Column("match_id", sa.String(length=128), nullable=False),
        sa.Column("table_id", sa.String(length=128), nullable=False),
        sa.Column("ruleset_id", sa.String(length=128), nullable=False),
        sa.Column("big_blind_chips", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("hands", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("last_hand_no", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=False),
        sa.Column("settled_us", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_table(
        "players",
        sa.Column("player_id", sa.String(length=128), nullable=False),
        sa.Column("display_name", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("named_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player_id"),
    )
    op.create_table(
        "positions",
        sa.Column("log", sa.String(length=160), nullable=False),
        sa.Column("partition", sa.String(length=16), nullable=False),
        sa.Column("offset", sa.BigInteger(), nullable=False),
        sa.Column("poison_run", sa.Integer(), server_default="0", nullable=False),
        sa.Column("updated_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("log", "partition"),
    )
    op.create_table(
        "balances",
        sa.Column("account", sa.String(length=264), nullable=False),
        sa.Column("match_id", sa.String(length=128), nullable=True),
        sa.Column("player_id", sa.String(length=128), nullable=True),
        sa.Column("chips", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("chips >= 0 OR account = 'bank'", name="stacks_are_not_negative"),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.match_id"],
        ),
        sa.PrimaryKeyConstraint("account"),
    )
    op.create_table(
        "hands",
        sa.Column("hand_id", sa.String(length=128), nullable=False),
        sa.Column("match_id", sa.String(length=128), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("event_no", NUMBER, nullable=False),
        sa.Column("voided", sa.Boolean(), nullable=False),
        sa.Column("put_in_chips", sa.BigInteger(), nullable=False),
        sa.Column("won_chips", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("put_in_chips = won_chips", name="hands_are_zero_sum"),
        sa.ForeignKeyConstraint(
            ["event_no"],
            ["events.event_no"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.match_id"],
        ),
        sa.PrimaryKeyConstraint("hand_id"),
        sa.UniqueConstraint("match_id", "hand_no", name="hands_are_numbered_once"),
    )
    op.create_table(
        "seats",
        sa.Column("match_id", sa.String(length=128), nullable=False),
        sa.Column("player_id", sa.String(length=128), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("hands", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("net_chips", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("ai_decided_hands", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("void_hands", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("last_played_us", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.match_id"],
        ),
        sa.PrimaryKeyConstraint("match_id", "player_id"),
        sa.UniqueConstraint("match_id", "number", name="seats_hold_one_player"),
    )
    op.create_table(
        "standings",
        sa.Column("board", sa.String(length=64), nullable=False),
        sa.Column("player_id", sa.String(length=128), nullable=False),
        sa.Column("hands", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("net_chips", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("average_whole", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("average_rest", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("ai_decided_hands", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("void_hands", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("last_played_us", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("settled_us", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["players.player_id"],
        ),
        sa.PrimaryKeyConstraint("board", "player_id"),
    )
    op.create_table(
        "transfers",
        sa.Column("transfer_no", NUMBER, autoincrement=True, nullable=False),
        sa.Column("event_no", NUMBER, nullable=False),
        sa.Column("debit", sa.String(length=264), nullable=False),
        sa.Column("credit", sa.String(length=264), nullable=False),
        sa.Column("chips", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("match_id", sa.String(length=128), nullable=False),
        sa.Column("hand_id", sa.String(length=128), nullable=True),
        sa.Column("player_id", sa.String(length=128), nullable=False),
        sa.Column("posted_us", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('buy_in', 'top_up', 'rebuy', 'hand', 'cash_out')",
            name="transfers_have_a_known_kind",
        ),
        sa.CheckConstraint("chips > 0", name="transfers_move_chips"),
        sa.CheckConstraint("debit <> credit", name="transfers_have_two_accounts"),
        sa.ForeignKeyConstraint(
            ["event_no"],
            ["events.event_no"],
        ),
        sa.PrimaryKeyConstraint("transfer_no"),
        sa.UniqueConstraint("event_no", "debit", "credit", name="transfers_once_an_event"),
        sqlite_autoincrement=True,
    )
    op.create_index("transfers_of_hand", "transfers", ["hand_id"], unique=False)
    op.create_index("transfers_of_player", "transfers", ["player_id", "transfer_no"], unique=False)
    op.create_index(
        "standings_by_average",
        "standings",
        [
            "board",
            sa.text("average_whole DESC"),
            sa.text("average_rest DESC"),
            sa.text("hands DESC"),
            "settled_us",
            "player_id",
        ],
    )
    op.create_index(
        "standings_by_hands",
        "standings",
        [
            "board",
            sa.text("hands DESC"),
            sa.text("average_whole DESC"),
            sa.text("average_rest DESC"),
            "settled_us",
            "player_id",
        ],
    )
    op.execute("INSERT INTO balances (account, chips) VALUES ('bank', 0)")
