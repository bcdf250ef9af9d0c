"""Tickets of live connections.

Revision: 0006, after 0005.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ws_tickets",
        sa.Column("ticket_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("session_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.user_id"], name=op.f("fk_ws_tickets_user_id")),
        sa.PrimaryKeyConstraint("ticket_hash", name=op.f("pk_ws_tickets")),
    )
    op.create_index(op.f("ix_ws_tickets_user_id"), "ws_tickets", ["user_id"], unique=False)
    op.create_index(op.f("ix_ws_tickets_expires_at"), "ws_tickets", ["expires_at"], unique=False)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
