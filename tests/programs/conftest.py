"""The bench's own code can be imported; what compares results is collected only where NumPy is."""

import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

WITH_NUMPY = ["test_programs_bench.py", "test_program_judgement.py", "test_program_predictions.py"]
collect_ignore = [] if importlib.util.find_spec("mindspore") else WITH_NUMPY
