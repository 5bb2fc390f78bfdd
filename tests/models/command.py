"""The command line on a folder of programs, as a user runs it."""

import subprocess
import sys


def fix(folder, *more):
    """Convert a folder in place, with safe fixes unless `more` options say otherwise; what the command says."""
    options = ["--device", "CPU", "--target-version", "2.10", "--allow-dirty", *more]
    done = subprocess.run(
        [sys.executable, "-m", "mindport", "fix", *options, "."],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stderr
