"""Dead letters keep all that an event is, and when they were replayed.

Columns are added without a default; a ledger of before leaves them empty. Letters of before
can be replayed from the log only.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("dead_letters", sa.Column("source", sa.String(length=128), nullable=True))
    op.add_column("dead_letters", sa.Column("time_us", sa.BigInteger(), nullable=True))
    op.add_column("dead_letters", sa.Column("replayed_us", sa.BigInteger(), nullable=True))
