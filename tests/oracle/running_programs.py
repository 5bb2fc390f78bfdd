"""Runs programs and mindport itself as a user does, with the interpreter of the tests."""

from loaded_frameworks import run_python


def printed_by(folder, *arguments, codes=(0,)):
    """What a command of Python prints in a folder, which ends with one of these codes."""
    done = run_python([*arguments], folder, seconds=400)
    assert done.returncode in codes, done.stderr[-3000:]
    return done.stdout


def ported(folder, port):
    """Port a folder."""
    command = ("-m", "mindport", "port", ".", "-o", str(port), "--device", "CPU", "--no-try")
    printed_by(folder, *command, codes=(0, 1))  # 1: something is left to look at
