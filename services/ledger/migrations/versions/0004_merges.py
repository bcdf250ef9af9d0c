"""Merges of players, and names that are counted, so that the current one is known.

All of it is added, nothing that is there changes: a ledger of before works on this schema. It
passes over events about players, so none may be published before every ledger is new.

Revision 0003 made the tables of the boards; on a database that has hands from before it they
are filled here, by the code of the day.
"""

import time

import sqlalchemy as sa
from alembic import op

from services.ledger.days import day_of
from services.ledger.rebuild import lock_out, rebuild_boards

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    revision_of_name = sa.Column(
        "name_revision", sa.BigInteger(), server_default="0", nullable=False
    )
    op.add_column("players", revision_of_name)
    op.add_column("players", sa.Column("owner_id", sa.String(length=128), nullable=True))
    owned = sa.text("owner_id IS NOT NULL")
    op.create_index(
        "players_of_owner", "players", ["owner_id"], postgresql_where=owned, sqlite_where=owned
    )
    op.create_table(
        "merges",
        sa.Column("player_id", sa.String(length=128), nullable=False),
        sa.Column("into_id", sa.String(length=128), nullable=False),
        sa.Column("merged_us", sa.BigInteger(), nullable=False),
        sa.Column("event_no", NUMBER, nullable=False),
        sa.CheckConstraint("player_id <> into_id", name="merges_are_of_two"),
        sa.ForeignKeyConstraint(["player_id"], ["players.player_id"]),
        sa.ForeignKeyConstraint(["into_id"], ["players.player_id"]),
        sa.ForeignKeyConstraint(["event_no"], ["events.event_no"]),
        sa.PrimaryKeyConstraint("player_id"),
        sa.UniqueConstraint("event_no"),
    )
    _fill_boards(op.get_bind())


def _fill_boards(connection: sa.Connection) -> None:
    """Sum up the hands of before the boards' tables; ledgers that kept them have nothing to do."""
    query = "SELECT EXISTS (SELECT 1 FROM hands) AND NOT EXISTS (SELECT 1 FROM seat_days)"
    if connection.execute(sa.text(query)).scalar_one():
        lock_out(connection)
        rebuild_boards(connection, day_of(time.time_ns() // 1000))
