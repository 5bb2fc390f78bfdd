"""The oracle in the user's interpreter: one line of JSON for each sample that is to be run, one for its outcome."""

from __future__ import annotations

from oracle.worker import serve
from probe_channel import private_output

if __name__ == "__main__":
    serve(private_output())
