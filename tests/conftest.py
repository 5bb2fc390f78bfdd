"""What holds for all tests."""

from hypothesis import settings

# A machine that is busy, or loads a module for the first time, makes no test wrong.
settings.register_profile("without a deadline", deadline=None)
settings.load_profile("without a deadline")
