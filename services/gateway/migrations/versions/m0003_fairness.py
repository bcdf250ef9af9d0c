"""Fair shuffle: commitments and salts.

Revision: 0003, after 0002.
"""

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward."""


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
