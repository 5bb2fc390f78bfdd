"""Source in, source out, with small mappings: what is changed, what is kept byte for byte, and what is left alone."""

from __future__ import annotations

import ast

import pytest
from snippet import CPU, HEADER, Kind, rewrites_of, usage_of

from mindport.mapping.index import MappingIndex
from mindport.mapping.load import read_mapping
from mindport.model.span import Edit, Span
from mindport.model.verdict import Applicability, Confidence
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import as_fix, compose

MAPPINGS = """
torch: {function: torch.relu}
cases: [{verdict: renamed, call: mindspore.ops.relu, fix: unsafe}]
---
torch: {function: torch.cat}
cases: [{verdict: renamed, call: mindspore.ops.cat, args: {dim: axis}, fix: unsafe}]
---
torch: {function: torch.sum, method: torch.Tensor.sum}
cases: [{verdict: renamed, call: mindspore.ops.sum, fix: unsafe}]
---
torch: {function: torch.mean}
cases: [{verdict: renamed, call: mindspore.Tensor.mean, args: {dim: axis, keepdim: keep_dims}, fix: unsafe}]
---
torch: {method: torch.Tensor.view}
cases: [{verdict: renamed, call: mindspore.Tensor.reshape, fix: unsafe}]
---
torch: {method: torch.Tensor.permute}
cases: [{verdict: renamed, call: mindspore.ops.transpose, fix: unsafe}]
---
torch: {method: torch.Tensor.size}
cases:
  - {when: {dim: null}, verdict: equivalent, rewrite: $input.shape, fix: unsafe}
  - {verdict: equivalent, rewrite: "$input.shape[$dim]", fix: unsafe}
---
torch: {attribute: torch.Tensor.is_cuda}
cases: [{verdict: equivalent, rewrite: "$input.device == 'GPU'", fix: unsafe}]
---
torch: {method: torch.Tensor.add_}
cases: [{when: {$result: discarded, alpha: 1}, verdict: equivalent, rewrite: $input = $input + $other, fix: unsafe}]
---
torch: {function: torch.add}
cases: [{when: {alpha: 1}, verdict: equivalent, rewrite: $input + $other, args: {out: {report: none}}, fix: unsafe}]
---
torch: {function: torch.square}
cases: [{verdict: equivalent, rewrite: $input * $input, fix: unsafe}]
---
torch: {function: torch.zeros}
cases:
  - verdict: renamed
    call: mindspore.ops.zeros
    args: {device: {drop: true}, requires_grad: {drop_when: [false]}, layout: {report: sparse}}
    fix: unsafe
---
torch: {function: torch.randn}
cases: [{verdict: renamed, call: mindspore.ops.randn, args: {device: {drop: true}}, fix: unsafe}]
---
torch: {module: torch.nn.Linear}
cases: [{verdict: renamed, call: mindspore.nn.Dense, args: {bias: has_bias}, fix: unsafe}]
---
torch: {module: torch.nn.Dropout}
cases: [{verdict: differs, call: mindspore.nn.Dropout, args: {p: {to: p, default: "0.5"}, inplace: {drop: true}}, fix: unsafe}]
---
torch: {module: torch.nn.BatchNorm2d}
cases:
  - verdict: differs
    call: mindspore.nn.BatchNorm2d
    args: {momentum: {convert: one_minus}, track_running_stats: {report: always kept}}
    fix: unsafe
---
torch: {module: torch.nn.Conv2d}
cases:
  - verdict: differs
    call: mindspore.nn.Conv2d
    args:
      padding: {convert: pair_to_quad}
      groups: group
      bias: {to: has_bias, default: "True"}
      padding_mode: {values: {"'zeros'": "'ZEROS'"}, to: data_format}
    add: {pad_mode: "'pad'"}
    fix: unsafe
---
torch: {value: torch.float32}
cases: [{verdict: renamed, call: mindspore.float32, fix: unsafe}]
---
torch: {class: torch.nn.Module}
cases: [{verdict: renamed, call: mindspore.nn.Cell, fix: unsafe}]
---
torch: {class: torch.no_grad}
cases: [{when: {$result: other}, verdict: equivalent, rewrite: contextlib.nullcontext(), imports: [import contextlib], fix: unsafe}]
---
torch: {function: torch.numel}
cases: [{verdict: equivalent, rewrite: "np.prod($input.shape)", imports: [import numpy as np], fix: unsafe}]
---
torch: {function: torch.prod}
cases: [{verdict: equivalent, rewrite: "np.prod($input)", imports: [import numpy as np], fix: unsafe}]
---
torch: {function: torch.clone}
cases: [{verdict: equivalent, rewrite: $input, fix: unsafe}]
---
torch: {function: torch.trace}
cases: [{verdict: composed, rewrite: "(lambda n, k=$input: [i + $input for i in n])(3)", fix: unsafe}]
---
torch: {function: torch.det}
cases: [{verdict: renamed, call: mindspore.scipy.linalg.det, fix: unsafe}]
"""  # noqa: E501


def _index() -> MappingIndex:
    mappings = [read_mapping(f"summary: x\n{text.strip()}\n", "test.yaml") for text in MAPPINGS.split("---")]
    assert not [one for one in mappings if isinstance(one, tuple)], mappings
    return MappingIndex.of(mappings)


INDEX = _index()
KINDS = {
    "x": Kind.TENSOR,
    "z": Kind.TENSOR,
    "n": Kind.INT,
    "i": Kind.INT,
    "k": Kind.INT,
    "shape": Kind.SEQUENCE,
}


def fixed(text: str, newline: str = "\n", confidence: Confidence = Confidence.PROVED, path: str = "") -> str:
    usage = usage_of(text, KINDS, confidence)
    edits = compose(text, rewrites_of(text, usage, INDEX, CPU), usage, path)
    new = apply_edits(text, edits, newline)
    ast.parse(new)
    return new


def body(source: str) -> str:
    """What becomes of `source` in a file with the usual imports; without the import lines."""
    text = fixed(f"{HEADER}{source}\n")
    once_more = fixed(text)
    assert once_more == text, "fixing twice changes nothing"
    return "\n".join(line for line in text.splitlines() if not line.startswith(("import ", "from ")))


CHANGED = [
    # names
    ("y = torch.relu(x)", "y = ops.relu(x)"),
    ("y = torch . relu ( x )", "y = ops.relu ( x )"),
    ("t = torch.float32", "t = mindspore.float32"),
    ("def f(a: torch.float32): pass", "def f(a: mindspore.float32): pass"),
    ("class Net(nn.Module): pass", "class Net(mindspore.nn.Cell): pass"),
    ("fs = map(torch.relu, xs)", "fs = map(ops.relu, xs)"),
    # arguments
    ("torch.cat([x, z], 1)", "ops.cat([x, z], 1)"),
    ("torch.cat([x, z], dim=1)", "ops.cat([x, z], axis=1)"),
    ("torch.cat(dim=1, tensors=[x])", "ops.cat(axis=1, tensors=[x])"),
    ("torch.cat([x, z], axis=1)", "ops.cat([x, z], axis=1)"),
    ("torch.cat((x), (1))", "ops.cat((x), (1))"),
    ("torch.cat(\n    [x, z],  # both\n    dim=1,\n)", "ops.cat(\n    [x, z],  # both\n    axis=1,\n)"),
    ("nn.Linear(3, 4, False)", "mindspore.nn.Dense(3, 4, has_bias=False)"),
    ("nn.Linear(3, 4, bias = False)", "mindspore.nn.Dense(3, 4, has_bias = False)"),
    ("nn.Linear(1, 1, bias=1)", "mindspore.nn.Dense(1, 1, has_bias=True)"),
    ("nn.Linear(1, 1, None)", "mindspore.nn.Dense(1, 1, has_bias=False)"),
    ("nn.Linear(3, 4, bias=None)", "mindspore.nn.Dense(3, 4, has_bias=False)"),
    ("nn.Linear(3, 4, (0))", "mindspore.nn.Dense(3, 4, has_bias=False)"),
    ("nn.Linear(3, 4, n)", "mindspore.nn.Dense(3, 4, has_bias=n)"),
    ("nn.Linear(3, 4, bias=1 - n)", "mindspore.nn.Dense(3, 4, has_bias=1 - n)"),
    ("nn.Dropout()", "mindspore.nn.Dropout(p=0.5)"),
    ("nn.Dropout(0.1)", "mindspore.nn.Dropout(p=0.1)"),
    ("nn.Dropout(0.1, True)", "mindspore.nn.Dropout(p=0.1)"),
    ("nn.Dropout(inplace=True, p=0.1)", "mindspore.nn.Dropout(p=0.1)"),
    ("nn.Dropout(inplace=True)", "mindspore.nn.Dropout(p=0.5)"),
    ("nn.Dropout(\n    p=0.1,\n    inplace=True,\n)", "mindspore.nn.Dropout(\n    p=0.1,\n)"),
    ("torch.zeros(2, 3, device=d)", "ops.zeros((2, 3))"),
    ("torch.zeros((2, 3), device=d, dtype=torch.float32)", "ops.zeros((2, 3), dtype=mindspore.float32)"),
    ("torch.zeros(n)", "ops.zeros((n,))"),
    ("torch.zeros((3), dtype=torch.float32)", "ops.zeros((3,), dtype=mindspore.float32)"),
    ("torch.zeros(((3  # 层 🙂\n)))", "ops.zeros(((3,  # 层 🙂\n)))"),
    ("torch.zeros((yield 3))", "ops.zeros((yield 3))"),
    ("torch.zeros((2), (3))", "ops.zeros(((2), (3)))"),
    ("torch.zeros(shape, requires_grad=False)", "ops.zeros(shape)"),
    ("nn.BatchNorm2d(8, momentum=0.01)", "mindspore.nn.BatchNorm2d(8, momentum=0.99)"),
    ("nn.BatchNorm2d(8, 1e-3, m + 1)", "mindspore.nn.BatchNorm2d(8, 1e-3, 1 - (m + 1))"),
    ("nn.Conv2d(3, 8, 3)", "mindspore.nn.Conv2d(3, 8, 3, has_bias=True, pad_mode='pad')"),
    ("nn.Conv2d(3, 8, 3, 1, (1, 2), bias=False)",
     "mindspore.nn.Conv2d(3, 8, 3, 1, padding=(1, 1, 2, 2), has_bias=False, pad_mode='pad')"),
    ("nn.Conv2d(3, 8, 3, padding_mode=\"zeros\")",
     "mindspore.nn.Conv2d(3, 8, 3, data_format='ZEROS', has_bias=True, pad_mode='pad')"),
    # methods to functions and back
    ("y = x.sum(dim=1)", "y = ops.sum(x, dim=1)"),
    ("y = x.sum()", "y = ops.sum(x)"),
    ("y = (x + 1).sum(1)", "y = ops.sum(x + 1, 1)"),
    ("y = x.sum(\n    1,\n)", "y = ops.sum(x,\n    1,\n)"),
    ("y = torch.mean(x, dim=1, keepdim=True)", "y = x.mean(axis=1, keep_dims=True)"),
    ("y = torch.mean(x + 1, 1)", "y = (x + 1).mean(1)"),
    ("y = torch.mean(dim=1, input=x)", "y = x.mean(axis=1)"),
    ("y = x.view(2, -1)", "y = x.reshape(2, -1)"),
    ("y = x.permute(0, 2, 1)", "y = ops.transpose(x, (0, 2, 1))"),
    ("y = x.permute((0, 2, 1))", "y = ops.transpose(x, (0, 2, 1))"),
    # templates
    ("y = x.size()", "y = x.shape"),
    ("y = x.size(0)", "y = x.shape[0]"),
    ("y = (x + 1).size(-1)", "y = (x + 1).shape[-1]"),
    ("y = x.size()[0]", "y = x.shape[0]"),
    ("y = torch.add(x, z)", "y = x + z"),
    ("y = 2 * torch.add(x, z)", "y = 2 * (x + z)"),
    ("y = torch.add(x, z) * 2", "y = (x + z) * 2"),
    ("y = torch.add(x, z).abs()", "y = (x + z).abs()"),
    ("y = torch.add(x, a if b else c)", "y = x + (a if b else c)"),
    ("y = torch.add(x, other=z)", "y = x + z"),
    ("f(torch.add(x, z), k=torch.add(x, z))", "f(x + z, k=x + z)"),
    ("y = torch.square(x)", "y = x * x"),
    ("y = torch.square(self.x)", "y = self.x * self.x"),
    ("x.add_(z)", "x = x + z"),
    ("self.x.add_(z * 2)", "self.x = self.x + (z * 2)"),
    ("with torch.no_grad():\n    pass", "with contextlib.nullcontext():\n    pass"),
    ("n = torch.numel(x)", "n = np.prod(x.shape)"),
    ("n = torch.prod((a for a in x))", "n = np.prod(a for a in x)"),
    ("n = torch.prod((x) +\n    z)", "n = np.prod((x) +\n    z)"),
    ("n = torch.prod((x  # one\n    ) + z)", "n = np.prod((x  # one\n    ) + z)"),
    # nested and chained
    ("torch.relu(torch.cat([torch.relu(x)], dim=1))", "ops.relu(ops.cat([ops.relu(x)], axis=1))"),
    ("x.view(2, 3).sum(1).view(-1)", "ops.sum(x.reshape(2, 3), 1).reshape(-1)"),
    ("torch.add(torch.relu(x), torch.add(x, z))", "ops.relu(x) + (x + z)"),
    ("torch.mean(torch.add(x, z), 0)", "(x + z).mean(0)"),
    ("torch.add(x, z).size(0)", "(x + z).shape[0]"),
    ("torch.cat([torch.add(x, z)], dim=1)", "ops.cat([x + z], axis=1)"),
    ("torch.mean(torch.relu(x.view(-1)), 0)", "ops.relu(x.reshape(-1)).mean(0)"),
    ("nn.BatchNorm2d(8, momentum=torch.relu(x))", "mindspore.nn.BatchNorm2d(8, momentum=1 - ops.relu(x))"),
    ("torch.sum((y := torch.relu(x)), 1)", "ops.sum((y := ops.relu(x)), 1)"),
    ("async def f():\n    return torch.relu(await torch.relu(x))",
     "async def f():\n    return ops.relu(await ops.relu(x))"),
    ("lambda: torch.add(x, z)", "lambda: x + z"),
    # text around
    ("名前 = '😀'; y = torch.relu(x)  # 中文", "名前 = '😀'; y = ops.relu(x)  # 中文"),
    ("y = '😀' + torch.cat(['中', x], dim=0)", "y = '😀' + ops.cat(['中', x], axis=0)"),
    ("if x:\n\ty = torch.relu(x)", "if x:\n\ty = ops.relu(x)"),
    ("y = torch.relu(\\\n    x)", "y = ops.relu(\\\n    x)"),
    # an argument that is left alone
    ("y = torch.clone(x if n\n    else z)", "y = (x if n\n    else z)"),
    ("y = torch.clone(\n    x +\n    z)", "y = (x +\n    z)"),
    ("y = torch.clone(\n    x)", "y = x"),
    ("y = torch.clone((x if n\n    else z))", "y = (x if n\n    else z)"),
    ("y = torch.clone(torch.cat([x,\n    z]))", "y = ops.cat([x,\n    z])"),
    ("torch.relu(*xs)", "ops.relu(*xs)"),
    ("torch.randn(*shape)", "ops.randn(*shape)"),
    ("torch.randn(*shape, device=d, dtype=torch.float32)", "ops.randn(*shape, dtype=mindspore.float32)"),
    ("torch.randn(2, 3, device=d)", "ops.randn(2, 3)"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), CHANGED)
def test_changed(source, expected):
    assert body(source) == expected


KEPT = [
    "y = torch.cat(*xs, **kw)",
    "y = torch.zeros(*shape)",
    "y = torch.randn(2, *shape)",
    "y = torch.randn(*shape, **options)",
    "y = torch.randn(*shape, layout=l)",
    "y = torch.cat([x], **kw)",
    "y = torch.cat([x], out=z)",
    "y = torch.zeros(2, layout=l)",
    "y = torch.zeros(2, requires_grad=True)",
    "y = torch.zeros(2, requires_grad=flag)",
    "y = nn.BatchNorm2d(8, track_running_stats=False)",
    "y = nn.Conv2d(3, 8, 3, padding=p)",
    "y = nn.Conv2d(3, 8, 3, padding_mode=mode)",
    "y = x.add_(z)",
    "y = x.add_(z, alpha=2)",
    "x.add_(z, alpha=a)",
    "f(x).add_(z)",
    "y = x.view",
    "y = map(nn.BatchNorm2d, xs)",
    "y = relu(x)",
    "y = my.torch.relu(x)",
    "y = 'torch.relu(x)'  # torch.relu(x)",
    "y = torch.sum(x, 1, 2, 3, 4)",
    "y = x.sum(*dims, **kw)",
]


@pytest.mark.parametrize("source", KEPT)
def test_left_alone(source):
    assert fixed(f"{HEADER}{source}\n") == f"{HEADER}{source}\n"


def test_a_guess_is_never_written():
    text = f"{HEADER}y = x.sum(1)\n"
    assert fixed(text, confidence=Confidence.GUESSED) == text
    assert fixed(text, confidence=Confidence.INFERRED) != text


@pytest.mark.parametrize(
    ("source", "loses"),
    [
        ("y = torch.add(  # why\n    x, z)", True),
        ("y = torch.add(x, z)  # why", False),
        ("y = nn.Dropout(0.1,  # rate\n    inplace=True)", True),
        ("y = nn.Dropout(0.1)  # rate", False),
        ("y = torch.cat(  # why\n    [x], dim=1)", False),
    ],
)
def test_a_lost_comment_is_known(source, loses):
    text = f"{HEADER}{source}\n"
    (rewrite,) = rewrites_of(text, usage_of(text, KINDS), INDEX)
    assert rewrite.loses_comment is loses


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_stay(newline, bom):
    text = f"{HEADER}if x:\n    y = torch.cat(\n        [x],  # a\n        dim=1)\n    torch.add(\n        x, z)\n"
    wanted = "if x:\n    y = ops.cat(\n        [x],  # a\n        axis=1)\n    x + z\n"
    new = fixed(text.replace("\n", newline), newline)
    assert new.endswith(wanted.replace("\n", newline))
    assert new.count(newline) == len(new.splitlines())
    assert fixed(new, newline) == new


IN_FORMAT_STRINGS = {
    "a name": ('y = f"{torch.relu(x)}"', 'y = f"{ops.relu(x)}"'),
    "a method": ("y = f'{x.size(0)}'", "y = f'{x.shape[0]}'"),
    "beside one": ("y = f'a' + str(torch.relu(x))", "y = f'a' + str(ops.relu(x))"),
    "several": (
        "y = f'é {x.size(0)} {{x}} {x.size(1)!r:>{w}}'",
        "y = f'é {x.shape[0]} {{x}} {x.shape[1]!r:>{w}}'",
    ),
    "beside others": (
        "y = ('{x.size(0)}'\n     f'{x.size(0)}')",
        "y = ('{x.size(0)}'\n     f'{x.shape[0]}')",
    ),
    "over lines": (
        "y = f'''a\n  {x.size(0)}\n {\n x.size(1)}'''",
        "y = f'''a\n  {x.shape[0]}\n {\n x.shape[1]}'''",
    ),
    "in one within": ("y = f'{f\"{x.size(0)}\"}'", "y = f'{f\"{x.shape[0]}\"}'"),
    "a comprehension": ("y = f'{sum(p.size(0) for p in x):,}'", "y = f'{sum(p.shape[0] for p in x):,}'"),
    "quotes": ("y = f'{x.is_cuda}'", "y = f'{x.device == \"GPU\"}'"),
    "other quotes": ('y = f"{x.is_cuda}"', "y = f\"{x.device == 'GPU'}\""),
    "three quotes": ("y = f'''{x.is_cuda}'''", "y = f'''{x.device == \"GPU\"}'''"),
    "no quote that is free": ("y = f'{f\"{x.is_cuda}\"}'", "y = f'{f\"{x.is_cuda}\"}'"),
    "printed with its text": ("y = f'{x.size(0)=}'", "y = f'{x.shape[0]=}'"),
}


@pytest.mark.parametrize(("source", "expected"), IN_FORMAT_STRINGS.values(), ids=list(IN_FORMAT_STRINGS))
def test_inside_format_strings(source, expected):
    head = "m = nn.Linear(2, 3)\nx = torch.ones(2, 3)\n"
    assert body(f"{head}{source}").endswith(f"\n{expected}")


@pytest.mark.parametrize("argument", ["x", "x.n", "-x", "self.i.n"])
def test_an_argument_within_names_of_the_template(argument):
    assert (
        body(f"y = torch.trace({argument})")
        == f"y = (lambda n, k={argument}: [i + {_held(argument)} for i in n])(3)"
    )


@pytest.mark.parametrize("argument", ["n", "i", "x + i", "n.x", "(n, x)"])
def test_an_argument_that_would_mean_something_else_within_the_template(argument):
    assert (
        body(f"y = torch.trace({argument})")
        == f"y = (lambda input: (lambda n, k=input: [i + input for i in n])(3))({argument})"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("torch.square(f(x))", "(lambda input: input * input)(f(x))"),
        ("torch.square(xs[0])", "(lambda input: input * input)(xs[0])"),
        ("torch.square((yield x))", "(lambda input: input * input)((yield x))"),
        ("torch.square(sum(x for x in y))", "(lambda input: input * input)(sum(x for x in y))"),
        ("-torch.square(f(x)) ** 2", "-(lambda input: input * input)(f(x)) ** 2"),
        (
            "torch.square(torch.square(f(x)))",
            "(lambda input: input * input)((lambda input: input * input)(f(x)))",
        ),
        ("torch.square(*xs)", "torch.square(*xs)"),
    ],
)
def test_an_argument_that_is_needed_twice_is_computed_once(before, after):
    text = f"{HEADER}def g(x, y, xs):\n    z = {before}\n"
    assert fixed(text).splitlines()[-1] == f"    z = {after}"


def _held(argument: str) -> str:
    return f"({argument})" if argument.startswith("-") else argument


def test_one_fix_edits_only_what_changes():
    text = f"{HEADER}y = torch.cat([torch.relu(x), z], dim=1)\n"
    usage = usage_of(text, KINDS)
    rewrites = rewrites_of(text, usage, INDEX)
    cat = next(rewrite for rewrite in rewrites if rewrite.api == "torch.cat")
    fix = as_fix(cat, text, usage)
    assert fix is not None and fix.title == "Replace `torch.cat` by `mindspore.ops.cat`"
    assert fix.applicability is Applicability.UNSAFE
    assert [
        edit.text for edit in fix.edits if edit.span.line == HEADER.count("\n") + 1 and edit.span.column
    ] == [
        "ops.cat",
        "axis",
    ]
    new = apply_edits(text, fix.edits)
    assert "y = ops.cat([torch.relu(x), z], axis=1)\n" in new
    assert "import torch\n" in new and "from mindspore import ops\n" in new


def test_a_text_that_does_not_parse_is_left_alone():
    text = f"{HEADER}y = torch.relu(x)\n"
    usage = usage_of(text)
    rewrites = rewrites_of(text, usage, INDEX)
    assert compose(text + "def (\n", rewrites, usage) == ()


def test_overlapping_edits_are_refused():
    edits = [Edit(Span(1, 0, 1, 3), "a"), Edit(Span(1, 2, 1, 4), "b")]
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcdef", edits)
