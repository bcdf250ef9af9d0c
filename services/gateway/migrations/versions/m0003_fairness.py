"""Fair shuffle: commitments and salts.

Revision: 0003, after 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward; hands from before it have no commitment."""
    op.create_table(
        "prepared_deals",
        sa.Column("holder", sa.String(length=32), nullable=False),
        sa.Column("root", sa.String(length=64), nullable=False),
        sa.Column("cards", sa.LargeBinary(), nullable=False),
        sa.Column("salt_key", sa.LargeBinary(), nullable=False),
        sa.Column("prepared_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("holder", name=op.f("pk_prepared_deals")),
        sa.UniqueConstraint("root", name=op.f("uq_prepared_deals_root")),
    )
    op.add_column("hands", sa.Column("commit_root", sa.String(length=64), nullable=True))
    op.add_column("hands", sa.Column("client_seed", sa.String(length=64), nullable=True))
    op.add_column("hands", sa.Column("salt_key", sa.LargeBinary(), nullable=True))
    op.create_index("uq_hands_commit_root", "hands", ["commit_root"], unique=True)
    op.add_column("matches", sa.Column("next_commit_root", sa.String(length=64), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
