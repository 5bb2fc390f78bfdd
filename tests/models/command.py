"""The command line on a folder of programs, as a user runs it."""

import subprocess
import sys


def fix(folder):
    """Convert a folder in place with safe fixes; what the command says."""
    options = ["--device", "CPU", "--target-version", "2.10", "--allow-dirty"]
    done = subprocess.run(
        [sys.executable, "-m", "mindport", "fix", *options, "."],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stderr
