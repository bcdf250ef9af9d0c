"""Property tests take as long as they take: a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("riverboat", deadline=None)
settings.load_profile("riverboat")
