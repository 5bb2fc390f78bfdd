"""One worker process: reads a sample per line, runs it in both frameworks, writes the outcome as a line.

It is replaced by its owner when it dies or takes too long, so a crash in native code costs one sample."""

from __future__ import annotations

import json
import os
import sys
import warnings


def main() -> None:
    """Serve samples from stdin until it ends."""
    # The frameworks print to the real stdout; the answers go through a private copy of it.
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    import torch  # first: the other order breaks on some OpenMP builds

    torch.set_num_threads(1)
    from oracles import mindspore_side
    from oracles.inputs import Variant
    from oracles.sample import run_sample

    mindspore_side.set_up()
    versions = {
        "torch": torch.__version__.partition("+")[0],
        "mindspore": mindspore_side.mindspore.__version__,
    }
    answers.write(json.dumps(versions) + "\n")
    for line in sys.stdin:
        request = json.loads(line)
        outcome = run_sample(request["example"], Variant(request["variant"]), request["seed"])
        answers.write(json.dumps(outcome) + "\n")


if __name__ == "__main__":
    main()
