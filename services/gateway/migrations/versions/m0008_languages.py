"""A language that nobody chose is nobody's choice.

Revision: 0008, after 0007.

`en` was the default, and was saved with whatever else was changed: a browser of another language
then spoke English. What is saved as `en` becomes `und`, as the default is now. An English that
was chosen looks the same and goes with it; it matters only where the browser asks for another
language, and is one choice away. The revisions go up, so that no writer overlooks the change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_BEFORE = '"language": "en"'
_NOW = '"language": "und"'
_PREFERENCES = sa.table("preferences", *(sa.column(name) for name in ("kind", "revision", "body")))


def upgrade() -> None:
    c = _PREFERENCES.c
    op.execute(
        sa.update(_PREFERENCES)
        .where(c.kind == "settings", c.body.contains(_BEFORE, autoescape=True))
        .values(body=sa.func.replace(c.body, _BEFORE, _NOW), revision=c.revision + 1)
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
