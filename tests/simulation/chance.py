"""Chance from a seed, for everything that takes its chance from the system."""

import os
import random
import secrets
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


@contextmanager
def seeded_chance(seed: str) -> Iterator[None]:
    """Make names, tokens and secrets follow from a seed while the block runs."""
    rng = random.Random(f"{seed}:chance")
    with (
        patch.object(secrets, "_sysrand", rng),
        patch.object(secrets, "choice", rng.choice),
        patch.object(secrets, "SystemRandom", lambda: rng),
        patch.object(os, "urandom", rng.randbytes),
        patch.object(uuid, "uuid4", lambda: uuid.UUID(int=rng.getrandbits(128), version=4)),
    ):
        yield
