"""Tickets of live connections.

Revision: 0006, after 0005.
"""

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward."""


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
