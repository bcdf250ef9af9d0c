"""Void hands, notices and the sweep.

Revision: 0005, after 0004.
"""

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward."""


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
