"""Ledgers taken back to what they were before a migration, to be migrated again."""

import sqlalchemy as sa
from sqlalchemy.engine import Connection

BOARD_TABLES = ("rank_counts", "standings", "player_days", "seat_days")


CHECKS = {
    "transfers_follow_their_kind": "transfers",
    "hands_have_no_negative_pot": "hands",
    "void_hands_move_no_chips": "hands",
}


def before_entries(connection: Connection) -> None:
    """Go back to revision 0004: the database checks less. SQLite's tables keep their checks."""
    for column in ("source", "time_us", "replayed_us"):
        connection.exec_driver_sql(f"ALTER TABLE dead_letters DROP COLUMN {column}")
    if connection.dialect.name == "postgresql":
        for name, table in CHECKS.items():
            connection.exec_driver_sql(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    _set_revision(connection, "0004")


def before_merges(connection: Connection) -> None:
    """Go back to revision 0003: nobody is part of anybody."""
    before_entries(connection)
    connection.exec_driver_sql("DROP TABLE merges")
    connection.exec_driver_sql("DROP INDEX players_of_owner")
    for column in ("owner_id", "name_revision"):
        connection.exec_driver_sql(f"ALTER TABLE players DROP COLUMN {column}")
    _set_revision(connection, "0003")


def before_boards(connection: Connection) -> None:
    """Go back to revision 0002: one row a player and board, nothing by day."""
    before_merges(connection)
    for table in BOARD_TABLES:
        connection.exec_driver_sql(f"DROP TABLE {table}")
    connection.exec_driver_sql("CREATE TABLE standings (board TEXT, player_id TEXT)")
    _set_revision(connection, "0002")


def first_schema(connection: Connection) -> None:
    """Go back to revision 0001: before events were sealed."""
    before_boards(connection)
    connection.exec_driver_sql("ALTER TABLE events DROP COLUMN seal")
    connection.exec_driver_sql("DROP INDEX hands_of_event")
    connection.exec_driver_sql("DROP INDEX balances_of_match")
    _set_revision(connection, "0001")


def _set_revision(connection: Connection, revision: str) -> None:
    statement = sa.text("UPDATE alembic_version SET version_num = :revision")
    connection.execute(statement, {"revision": revision})
