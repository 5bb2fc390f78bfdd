"""What holds for all tests."""

import os

from hypothesis import settings

from mindport.registry.probe import FASTER

for name, value in FASTER.items():  # before MindSpore is imported
    os.environ.setdefault(name, value)

# A machine that is busy, or loads a module for the first time, makes no test wrong.
settings.register_profile("without a deadline", deadline=None)
settings.load_profile("without a deadline")
