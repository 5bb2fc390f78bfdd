"""A sparse tensor, or a sparse gradient: few operators of MindSpore take one.

What it does
------------
Reports torch's sparse tensors, layouts and products, embeddings with sparse gradients, and SparseAdam; says what
the target can do with them, and what a dense tensor costs in memory where its size can be read.

Why it matters
--------------
MindSpore has COO and CSR tensors, but a small part of its operators takes them. Dense tensors work everywhere and
need more memory.

Example
-------
    table = nn.Embedding(1_000_000, 128, sparse=True)

Use instead
-----------
    table = nn.Embedding(1_000_000, 128)  # a dense gradient; accumulate over smaller batches if it does not fit

References
----------
The migration guide of MindSpore, "Sparsity".
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.language import later, say, translated
from mindport.model.target import Device, Target
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.api_use import ApiUse, Argument, Form

_EMBEDDINGS = {  # name -> the place of `sparse` among its arguments
    "torch.nn.Embedding": 6,
    "torch.nn.EmbeddingBag": 6,
    "torch.nn.functional.embedding": 6,
    "torch.nn.functional.embedding_bag": 7,
}
_STARTS = (
    "torch.sparse.",
    "torch.sparse_",
    "torch.Tensor.to_sparse",
    "torch.Tensor.sparse_",
    "torch.Tensor.coalesce",
)
_PRODUCTS = ("mm", "spmm", "addmm", "sampled_addmm")
_OPTIMIZER = "torch.optim.SparseAdam"
_BYTES = 4  # of a float32
_MEGABYTE = 1_000_000
_DENSE = later("use dense tensors, and accumulate gradients over smaller batches where they do not fit")


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The message for a sparse tensor or gradient; empty for any other use."""
    del mindspore
    where = target_words(target)
    if use.api == _OPTIMIZER and use.form is Form.CALL:
        return say(
            "{api} updates only the rows that have a gradient, and gradients are dense on {where}: {dense}",
            api=use.api,
            where=where,
            dense=translated(_DENSE),
        )
    if use.api in _EMBEDDINGS:
        return _embedding(use, where)
    if not use.api.startswith(_STARTS) or use.form in (Form.ANNOTATION, Form.TYPE_CHECK):
        return ""
    if use.api.rpartition(".")[2] in _PRODUCTS and target.device is Device.CPU:
        return say(
            "{api} on {where}: a product of a sparse and a dense matrix is "
            "`ops.SparseTensorDenseMatmul`, whose gradients work; products of CSRTensor have no "
            "kernel there; else {dense}",
            api=use.api,
            where=where,
            dense=translated(_DENSE),
        )
    can = (
        say("COOTensor and CSRTensor can be made, turned dense and worked on element by element")
        if target.device is Device.CPU
        else say("COOTensor and CSRTensor are taken by few operators")
    )
    return say(
        "{api} makes sparse tensors, and {can} on {where}; else {dense}",
        api=use.api,
        can=can,
        where=where,
        dense=translated(_DENSE),
    )


def _embedding(use: ApiUse, where: str) -> str:
    """The message for an embedding whose gradient is sparse."""
    sparse = _argument(use, "sparse", _EMBEDDINGS[use.api])
    if sparse is None or (sparse.is_literal and sparse.value is not True):
        return ""
    verb = say("is") if sparse.is_literal else say("may be")
    return say(
        "the gradient of {api} {verb} sparse here and is dense on {where}{memory}: {dense}",
        api=use.api,
        verb=verb,
        where=where,
        memory=_memory(use),
        dense=translated(_DENSE),
    )


def _memory(use: ApiUse) -> str:
    """What a dense gradient needs, where the size of the table can be read."""
    sizes = [_argument(use, "num_embeddings", 0), _argument(use, "embedding_dim", 1)]
    numbers = [one.value for one in sizes if one is not None and one.is_literal and type(one.value) is int]
    if len(numbers) != len(sizes):
        return ""
    megabytes = numbers[0] * numbers[1] * _BYTES / _MEGABYTE
    return say(
        ", {megabytes:.3g} MB in float32, and as much again for each state of the optimizer",
        megabytes=megabytes,
    )


def _argument(use: ApiUse, name: str, place: int) -> Argument | None:
    """The argument that reaches a parameter; None where it is not passed, or stars leave that open."""
    arguments = () if use.call is None else use.call.arguments
    for position, argument in enumerate(arguments):
        if argument.star == 1 and position <= place:
            return None
        if argument.keyword == name or (position == place and argument.keyword is None and not argument.star):
            return argument
    return None


RULE = Rule(
    code="MP320",
    name="sparse-tensor",
    severity=Severity.INFORMATION,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample("from torch import nn\ne = nn.Embedding(1000, 16, sparse=True)\n", True),
        RuleExample(
            "from torch import nn\ndef f(flag):\n    return nn.Embedding(1000, 16, sparse=flag)\n", True
        ),
        RuleExample("import torch\ndef f(i, v):\n    return torch.sparse_coo_tensor(i, v, (3, 3))\n", True),
        RuleExample("import torch\ndef f(a, b):\n    return torch.sparse.mm(a, b)\n", True),
        RuleExample("import torch\ndef f(p):\n    return torch.optim.SparseAdam(p)\n", True),
        RuleExample("from torch import nn\ne = nn.Embedding(1000, 16)\n", False),
        RuleExample("from torch import nn\ne = nn.Embedding(1000, 16, sparse=False)\n", False),
        RuleExample("import torch\ndef f(a, b, p):\n    return torch.mm(a, b), torch.optim.Adam(p)\n", False),
    ),
)
