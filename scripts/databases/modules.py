"""The samples of ModuleInfo as source: the module is built, called, and differentiated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from databases.call_source import ArgumentWriter, NotWritable, Sample, Unwritten
from databases.operators import spread

DATABASE = "moduleinfo"


def entries() -> list[Any]:
    """All entries, by label."""
    from torch.testing._internal.common_modules import module_db

    return sorted(module_db, key=lambda one: one.name)


def label_of(entry: Any) -> str:
    """The name of an entry in reports."""
    return str(entry.name)


def samples_of(entry: Any, most: int) -> Iterator[Sample | Unwritten]:
    """The samples of an entry in training, and in evaluation where that differs; `most` of each (0: all)."""
    modes = (True, False) if entry.train_and_eval_differ else (True,)
    dtype = torch.float32 if torch.float32 in entry.supported_dtypes("cpu") else None
    if entry.is_lazy or dtype is None:
        why = "a lazy module has no weights to copy" if entry.is_lazy else "does not take float32"
        yield Unwritten(DATABASE, entry.name, "module", 0, why)
        return
    for training in modes:
        torch.manual_seed(0)
        try:
            inputs = entry.module_inputs_func(
                entry, device="cpu", dtype=dtype, requires_grad=True, training=training
            )
        except Exception as error:  # noqa: BLE001  the database may need what is not installed
            yield Unwritten(DATABASE, entry.name, "module", 0, f"torch makes no samples: {error}")
            continue
        form = "module" if training else "module (eval)"
        for number, sample in spread(list(inputs), most):
            if sample.forward_input is None:
                continue
            try:
                yield _written(entry, form, number, sample, training)
            except NotWritable as error:
                yield Unwritten(DATABASE, entry.name, form, number, str(error))


def _written(entry: Any, form: str, number: int, sample: Any, training: bool) -> Sample:
    writer = ArgumentWriter()
    built = sample.constructor_input
    construction = f"m = {entry.name}({writer.arguments(built.args, built.kwargs)})\n"
    if not training:
        construction += "m.eval()\n"
    is_outside = not writer.arrays
    called = sample.forward_input
    call = f"m({writer.arguments(called.args, called.kwargs)})"
    before = construction if is_outside else ""
    inside = "" if is_outside else "".join(f"    {line}\n" for line in construction.splitlines())
    source = (
        f"import torch\nfrom torch import nn\n\n{before}\n\n"
        f"def call({writer.parameters()}):\n{inside}    return {call}\n"
    )
    random = training and _draws(entry, sample)
    return Sample(
        DATABASE,
        entry.name,
        form,
        number,
        source,
        writer.arrays,
        tuple(writer.gradient_of),
        "structure" if random else "value",
    )


def _draws(entry: Any, sample: Any) -> bool:
    """Whether a call of the module uses torch's random numbers."""
    try:
        module = entry.module_cls(*sample.constructor_input.args, **sample.constructor_input.kwargs)
        before = torch.random.get_rng_state()
        module(*sample.forward_input.args, **sample.forward_input.kwargs)
    except Exception:  # noqa: BLE001  the worker will see it, too
        return False
    return not torch.equal(before, torch.random.get_rng_state())
