"""Accounts: passwords, tokens, recovery codes.

Revision: 0002, after 0001.
"""

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward."""


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
