"""The database itself refuses an entry that is not what its kind says, and a negative pot.

PostgreSQL checks what is written from now on, at once; what is stored already is checked
after the migration, beside ledgers that work (`services.common.database.migrate`). SQLite
cannot add a constraint, so the two tables are written anew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

STACK = "'stack:' || match_id || ':' || player_id"
POT = "'pot:' || hand_id"
CHECKS = {
    "transfers_follow_their_kind": (
        "transfers",
        f"CASE kind WHEN 'hand' THEN hand_id IS NOT NULL AND ("
        f"(debit = {STACK} AND credit = {POT}) OR (debit = {POT} AND credit = {STACK})) "
        f"WHEN 'cash_out' THEN hand_id IS NULL AND debit = {STACK} AND credit = 'bank' "
        f"ELSE hand_id IS NULL AND debit = 'bank' AND credit = {STACK} END",
    ),
    "hands_have_no_negative_pot": ("hands", "put_in_chips >= 0"),
    "void_hands_move_no_chips": ("hands", "NOT voided OR put_in_chips = 0"),
}


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for name, (table, condition) in CHECKS.items():
            op.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({condition}) NOT VALID")
        return
    _write_transfers_anew()
    _write_hands_anew()


def _write_transfers_anew() -> None:
    op.create_table(
        "transfers_new",
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
        *_checks("transfers"),
        sa.ForeignKeyConstraint(["event_no"], ["events.event_no"]),
        sa.PrimaryKeyConstraint("transfer_no"),
        sa.UniqueConstraint("event_no", "debit", "credit", name="transfers_once_an_event"),
        sqlite_autoincrement=True,
    )
    _replace("transfers")
    op.create_index("transfers_of_hand", "transfers", ["hand_id"])
    op.create_index("transfers_of_player", "transfers", ["player_id", "transfer_no"])


def _write_hands_anew() -> None:
    op.create_table(
        "hands_new",
        sa.Column("hand_id", sa.String(length=128), nullable=False),
        sa.Column("match_id", sa.String(length=128), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("event_no", NUMBER, nullable=False),
        sa.Column("voided", sa.Boolean(), nullable=False),
        sa.Column("put_in_chips", sa.BigInteger(), nullable=False),
        sa.Column("won_chips", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("put_in_chips = won_chips", name="hands_are_zero_sum"),
        *_checks("hands"),
        sa.ForeignKeyConstraint(["event_no"], ["events.event_no"]),
        sa.ForeignKeyConstraint(["match_id"], ["matches.match_id"]),
        sa.PrimaryKeyConstraint("hand_id"),
        sa.UniqueConstraint("match_id", "hand_no", name="hands_are_numbered_once"),
    )
    _replace("hands")
    op.create_index("hands_of_event", "hands", ["event_no"], unique=True)


def _checks(table: str) -> list[sa.CheckConstraint]:
    return [
        sa.CheckConstraint(condition, name=name)
        for name, (of_table, condition) in CHECKS.items()
        if of_table == table
    ]


def _replace(table: str) -> None:
    """Put the new table in the old one's place, with the old one's rows."""
    columns = ", ".join(column["name"] for column in sa.inspect(op.get_bind()).get_columns(table))
    op.execute(f"INSERT INTO {table}_new ({columns}) SELECT {columns} FROM {table}")  # noqa: S608
    op.drop_table(table)
    op.rename_table(f"{table}_new", table)
