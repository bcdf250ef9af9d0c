"""What is no transfer, and what is no event of the ledger's."""

import pytest

from services.ledger import posting
from services.ledger.matches import Transfer, TransferKind


def test_a_transfer_of_nothing_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="at least one chip"):
        Transfer("a", "b", 0, TransferKind.HAND, "otter")
    with pytest.raises(ValueError, match="two accounts"):
        Transfer("a", "a", 1, TransferKind.HAND, "otter")


def test_events_of_other_kinds_do_not_concern_the_ledger() -> None:
    assert not posting.concerns_ledger("riverboat.party.started.v1")
