"""Saved settings and bet presets.

Revision: 0004, after 0003.
"""

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward."""


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
