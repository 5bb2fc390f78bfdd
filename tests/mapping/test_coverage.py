"""Every core name of torch has a verdict, and advice speaks of few names."""

from __future__ import annotations

from collections import Counter

import pytest

from mindport.mapping.coverage import MOST_NAMES_OF_ONE_ADVICE, not_judged, shared_advice
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.schema import Case, CatalogueNames, Mapping
from mindport.registry.core_names import core_names
from mindport.registry.tables import torch_usage
from mindport.registry.torch import torch_facts


def test_core_names_without_a_verdict() -> None:
    gaps = not_judged(load_index(), core_names())
    counts = Counter(name.rpartition(".")[0] for name in gaps)
    print("\n".join(f"{count:5} {owner}" for owner, count in counts.most_common()))
    print(f"{len(gaps)} of {len(core_names())} core names are not judged")
    assert gaps == ()


def test_references_in_real_code_have_a_verdict() -> None:
    index, usage = load_index(), torch_usage()
    total = sum(count.uses for count in usage.values())
    judged = sum(count.uses for name, count in usage.items() if index.find(name) is not None)
    print(f"{judged / total:.2%} of {total} references have a verdict")
    assert judged / total >= 0.99


def test_names_that_torch_took_out_have_a_verdict() -> None:
    assert not_judged(load_index(), torch_facts().removed_names()) == ()


def test_advice_that_is_too_general() -> None:
    assert shared_advice(load_index()) == {}


@pytest.mark.parametrize(
    "name",
    [
        "torch.add",
        "torch.relu",
        "torch.pi",
        "torch.float32",
        "torch.channels_last",
        "torch.broadcast_shapes",
        "torch.device",
        "torch.FloatTensor",
        "torch.Tensor.add_",
        "torch.Tensor.shape",
        "torch.nn.Conv2d",
        "torch.nn.Module.register_buffer",
        "torch.nn.Embedding.from_pretrained",
        "torch.nn.functional.relu_",
        "torch.nn.utils.clip_grad_norm_",
        "torch.optim.Optimizer.zero_grad",
        "torch.optim.lr_scheduler.StepLR",
        "torch.linalg.svd",
        "torch.special.expit",
        "torch.distributions.Normal",
        "torch.distributions.Bernoulli.logits",
        "torch.distributions.Distribution.log_prob",
        "torch.distributions.constraints.positive",
        "torch.cuda.Event.record",
        "torch.backends.cudnn.benchmark",
        "torch.distributed.all_reduce",
        "torch.utils.data.DataLoader.dataset",
        "torch.utils.tensorboard.SummaryWriter.add_scalar",
        "torch.return_types.max",
    ],
)
def test_core_name(name: str) -> None:
    assert name in core_names()
    assert torch_facts().canonical(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "torch.nn",  # a module of Python
        "torch.AliasDb",  # of the JIT's bindings
        "torch.cudnn_convolution",  # a kernel of one library
        "torch.Tensor._to_dense",
        "torch.Tensor.__add__",
        "torch.nn.functional.handle_torch_function",  # imported for itself
        "torch.nn.functional.Optional",
        "torch.nn.Linear.train",  # of nn.Module
        "torch.nn.Linear.forward",
        "torch.optim.Adam.step",  # overrides Optimizer.step
        "torch.distributions.Normal.log_prob",
        "torch.multiprocessing.Process",  # Python's
        "torch.return_types.max_out",
        "torch.ao.quantization.quantize",
    ],
)
def test_no_core_name(name: str) -> None:
    assert name not in core_names()


def test_core_names_stand_once() -> None:
    assert len(set(core_names())) == len(core_names())


def none(*names: str, **rest: object) -> Mapping:
    return Mapping(CatalogueNames(function=list(names)), "x", [Case("none", **rest)])  # type: ignore[arg-type]


def many(start: int, count: int) -> list[str]:
    return [f"torch.name_{number}" for number in range(start, start + count)]


def test_not_judged() -> None:
    index = MappingIndex.of([none("torch.a", "torch.b")])
    assert not_judged(index, ["torch.a", "torch.c", "torch.b"]) == ("torch.c",)


def test_advice_is_counted_over_files() -> None:
    half = MOST_NAMES_OF_ONE_ADVICE // 2
    one = none(*many(0, half), why="Write a loop.")
    assert shared_advice(MappingIndex.of([one, none(*many(50, half), why="Write a loop.")])) == {}
    index = MappingIndex.of([one, none(*many(50, half + 1), tried=["Write a\n loop."])])
    assert shared_advice(index) == {"Write a loop.": (*many(0, half), *many(50, half + 1))}


def test_advice_of_other_verdicts_and_forms_does_not_count() -> None:
    names = many(0, MOST_NAMES_OF_ONE_ADVICE + 1)
    renamed = Mapping(
        CatalogueNames(function=names), "x", [Case("renamed", call="mindspore.ops.abs", why="Same.")]
    )
    other_form = Mapping(
        CatalogueNames(function=[*names, "torch.b"], method="torch.Tensor.b"),
        "x",
        [Case("none", forms=["method"], why="Gone."), Case("same")],
    )
    assert shared_advice(MappingIndex.of([renamed, other_form])) == {}
