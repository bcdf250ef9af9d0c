"""Accounts: passwords, tokens, recovery codes.

Revision: 0002, after 0001.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward; guests and their sessions stay as they are."""
    _people()
    _credentials()
    _tokens()
    op.add_column("matches", sa.Column("played_as", sa.String(length=32), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")


def _people() -> None:
    op.add_column(
        "users", sa.Column("revision", sa.BigInteger(), server_default="1", nullable=False)
    )
    op.add_column("users", sa.Column("username", sa.String(length=32), nullable=True))
    op.add_column("users", sa.Column("username_key", sa.String(length=32), nullable=True))
    op.add_column("users", sa.Column("erased_at", sa.BigInteger(), nullable=True))
    op.add_column("users", sa.Column("merged_into", sa.String(length=32), nullable=True))
    op.create_index(op.f("uq_users_username_key"), "users", ["username_key"], unique=True)
    op.create_index(op.f("ix_users_merged_into"), "users", ["merged_into"])
    op.add_column("sessions", sa.Column("session_id", sa.String(length=32), nullable=True))
    op.add_column("sessions", sa.Column("last_seen_at", sa.BigInteger(), nullable=True))
    op.add_column("sessions", sa.Column("agent", sa.String(length=40), nullable=True))
    op.create_index(op.f("uq_sessions_session_id"), "sessions", ["session_id"], unique=True)


def _credentials() -> None:
    op.create_table(
        "credentials",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("password_hash", sa.String(length=255), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.user_id"], name=op.f("fk_credentials_user_id")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_credentials")),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.user_id"], name=op.f("fk_recovery_codes_user_id")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_recovery_codes")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_recovery_codes_code_hash")),
    )


def _tokens() -> None:
    op.create_table(
        "personal_tokens",
        sa.Column("token_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("scopes", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.user_id"], name=op.f("fk_personal_tokens_user_id")
        ),
        sa.PrimaryKeyConstraint("token_id", name=op.f("pk_personal_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_personal_tokens_token_hash")),
    )
    op.create_index(op.f("ix_personal_tokens_user_id"), "personal_tokens", ["user_id"])
    op.create_table(
        "merge_offers",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("guest_id", sa.String(length=32), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.user_id"], name=op.f("fk_merge_offers_user_id")
        ),
        sa.ForeignKeyConstraint(
            ["guest_id"], ["users.user_id"], name=op.f("fk_merge_offers_guest_id")
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_merge_offers")),
    )
    op.create_index(op.f("ix_merge_offers_user_id"), "merge_offers", ["user_id"])
    op.create_index(op.f("ix_merge_offers_guest_id"), "merge_offers", ["guest_id"])
