"""Alembic's entry; `services.common.database.migrate` is the way in."""

from services.common.database import run_migrations

run_migrations()
