"""The samples of OptimizerInfo as source: an optimizer over the weights of a linear layer, which takes some steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from databases.call_source import ArgumentWriter, NotWritable, Sample, Unwritten
from databases.operators import spread

DATABASE = "optimizerinfo"


def entries() -> list[Any]:
    """All entries, by label."""
    from torch.testing._internal.common_optimizers import optim_db

    return sorted(optim_db, key=lambda one: str(one.optim_cls.__name__))


def label_of(entry: Any) -> str:
    """The name of an entry in reports."""
    return f"optim.{entry.optim_cls.__name__}"


def samples_of(entry: Any, most: int) -> Iterator[Sample | Unwritten]:
    """The samples of an entry; at most `most` (0: all)."""
    label = label_of(entry)
    for number, sample in spread(list(entry.optim_inputs_func(device="cpu")), most):
        writer = ArgumentWriter()
        try:
            options = writer.arguments((), sample.kwargs)
            if writer.arrays:
                raise NotWritable("a tensor as an option of an optimizer")
        except NotWritable as error:
            yield Unwritten(DATABASE, label, "optimizer", number, str(error))
            continue
        arguments = f"m.parameters(), {options}" if options else "m.parameters()"
        source = (
            "import torch\nfrom torch import nn, optim\n\n"
            f"m = nn.Linear(4, 3)\noptimizer = {label}({arguments})\n"
        )
        yield Sample(DATABASE, label, "optimizer", number, source, compare="effect")
