"""Leaderboards by season, by 30 days and by River's version, with ranks that are counted fast.

What is stored already is summed up again, from the hands' events. The code of the day does
that, as it would at any time, so the newest migration of these tables calls it: now 0004. While
this runs, and until the new version does, no older consumer may: it would know nothing of the
days. Events wait in the log meanwhile.
"""

import sqlalchemy as sa
from alembic import op

from services.ledger.rebuild import lock_out

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    connection = op.get_bind()
    lock_out(connection)
    op.drop_table("standings")
    op.create_table(
        "seat_days",
        _id("match_id"),
        _id("player_id"),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        _id("version"),
        sa.Column("board", sa.String(length=64), nullable=False),
        *_tally(),
        sa.ForeignKeyConstraint(["match_id"], ["matches.match_id"]),
        sa.PrimaryKeyConstraint("match_id", "player_id", "day", "version"),
    )
    op.create_index("seat_days_of_player", "seat_days", ["player_id"])
    op.create_table(
        "player_days",
        _id("player_id"),
        sa.Column("board", sa.String(length=64), nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        _id("version"),
        *_tally(),
        _count("settled_us"),
        sa.ForeignKeyConstraint(["player_id"], ["players.player_id"]),
        sa.PrimaryKeyConstraint("player_id", "board", "day", "version"),
    )
    op.create_table(
        "standings",
        _id("player_id"),
        sa.Column("board", sa.String(length=64), nullable=False),
        sa.Column("period", sa.String(length=16), nullable=False),
        _id("version"),
        *_tally(),
        _count("average_whole"),
        _count("average_rest"),
        _count("settled_us"),
        sa.Column("from_day", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.player_id"]),
        sa.PrimaryKeyConstraint("player_id", "board", "period", "version"),
    )
    op.create_table(
        "rank_counts",
        sa.Column("board", sa.String(length=64), nullable=False),
        sa.Column("period", sa.String(length=16), nullable=False),
        _id("version"),
        sa.Column("level", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("slot", sa.BigInteger(), autoincrement=False, nullable=False),
        _count("players"),
        sa.PrimaryKeyConstraint("board", "period", "version", "level", "slot"),
    )
    average = [sa.text("average_whole DESC"), sa.text("average_rest DESC")]
    hands, last = sa.text("hands DESC"), ["settled_us", "player_id"]
    scope = ["board", "period", "version"]
    _partial("standings_ranked", [*scope, *average, hands, *last], "hands >= 500")
    _partial("standings_qualifying", [*scope, hands, *average, *last], "hands < 500 AND hands > 0")
    _partial("standings_rolling", ["from_day"], "period = '30d'")


def _id(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(length=128), nullable=False)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)


def _tally() -> list[sa.Column[int] | sa.Column[str]]:
    return [
        _count("hands"),
        _count("net_chips"),
        sa.Column("net_squares", sa.String(length=64), server_default="0", nullable=False),
        _count("ai_decided_hands"),
        _count("void_hands"),
        _count("last_played_us"),
    ]


def _partial(name: str, columns: list[str | sa.TextClause], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, "standings", columns, postgresql_where=condition, sqlite_where=condition)
