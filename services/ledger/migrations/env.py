"""Alembic asks this file how to migrate; `services.common.database.migrate` asks Alembic."""

from services.common.database import run_migrations

run_migrations()
