"""Runs programs and mindport itself as a user does, with the interpreter of the tests."""

import os
import subprocess
import sys


def printed_by(folder, *arguments, codes=(0,)):
    """What a command of Python prints in a folder, which ends with one of these codes."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
        cwd=folder,
        env={**os.environ, "GLOG_v": "4"},
    )
    assert done.returncode in codes, done.stderr[-3000:]
    return done.stdout


def ported(folder, port):
    """Port a folder."""
    command = ("-m", "mindport", "port", ".", "-o", str(port), "--device", "CPU", "--no-try")
    printed_by(folder, *command, codes=(0, 1))  # 1: something is left to look at
