"""Answers what code asks of torch before it uses it: `hasattr(torch, "compiler")`, `"silu" in dir(F)`,
`getattr(torch, "compile", None)`, `version.parse(torch.__version__)`, `torch.meshgrid.__kwdefaults__`. Converted code
does what the newest known torch does, so it has what that has. Calls that only count for torch's authors, which library
code makes in every constructor, are left out with them; torch's own questions for its compiler are answered."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.model.language import say
from mindport.model.span import Span
from mindport.model.verdict import Applicability
from mindport.registry.signature import ParameterKind
from mindport.registry.torch import TorchFacts, torch_facts
from mindport.rewrite.pieces import Piece, Rewrite, mindspore_name
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_name

_IDLE = frozenset(
    f"torch._C.{name}"
    for name in (
        *("_log_api_usage_once", "_jit_set_profiling_executor", "_jit_set_profiling_mode"),
        *("_jit_override_can_fuse_on_cpu", "_jit_override_can_fuse_on_gpu", "_jit_set_texpr_fuser_enabled"),
    )
)
"""Calls for torch's authors, and for a compiler that is not there."""
_ANSWERS = {"torch._C._is_tracing": "False", "torch._C._get_tracing_state": "None"}
"""What torch answers outside of that compiler."""
_PRIVATE = "torch._C."
_VERSION = "torch.__version__"
_DEFAULTS = "__kwdefaults__"
_OF_TENSORS = frozenset(
    (
        "detach",
        "detach_",
        "requires_grad",
        "is_leaf",
        "grad_fn",
        "is_cuda",
        "is_sparse",
        "backward",
        "get_device",
    )
)
_OF_TENSORS_AND_MODULES = frozenset(("cpu", "cuda"))
"""What torch's tensors have, and modules, and MindSpore's have not."""
_QUESTIONS = ("hasattr(", "getattr(", "dir(", _PRIVATE, "__version__", _DEFAULTS)
# What takes a version apart, to compare it: functions, and methods of a text.
_VERSION_READERS = frozenset({"parse", "Version", "LooseVersion", "StrictVersion", "parse_version"})
_TEXT_READERS = frozenset({"split", "startswith", "partition", "rpartition"})


def asks_for_features(text: str) -> bool:
    """Whether the text may hold such a question."""
    return "torch" in text and any(question in text for question in _QUESTIONS)


def feature_rewrites(
    tree: ast.Module, lines: LineIndex, facts: TorchFacts | None = None
) -> tuple[Rewrite, ...]:
    """The rewrites of questions whose answer is yes: to `True`, or to the attribute itself. Torch may have what is not
    listed, so other questions stay."""
    names = _torch_names(tree)
    if not names:
        return ()
    facts = facts or torch_facts()
    versions = (
        _rewrite(span_of(node, lines), (f'"{facts.version}"',), _VERSION)
        for node in _versions_read(tree)
        if _dotted(node, names) == _VERSION
    )
    return (*_answers(tree, names, lines, facts), *versions)


def _torch_names(tree: ast.Module) -> dict[str, str]:
    """What the imports of the file call torch's modules: local name -> dotted name."""
    found: dict[str, str] = {}
    for node in every_node(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "torch":
                    found[alias.asname or "torch"] = alias.name if alias.asname else "torch"
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                if (node.module or "").partition(".")[0] == "torch":
                    found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def _answers(
    tree: ast.Module, names: dict[str, str], lines: LineIndex, facts: TorchFacts
) -> Iterator[Rewrite]:
    own = {node.name for node in every_node(tree) if isinstance(node, ast.FunctionDef)}
    for node in every_node(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            idle = _dotted(node.value.func, names)
            if idle in _IDLE:
                yield Rewrite(
                    span_of(node.value, lines),
                    ("pass",),
                    Applicability.SAFE,
                    say("Leave out what only counts"),
                    idle,
                )
        elif isinstance(node, ast.Call) and not (node.args or node.keywords):
            asked = _dotted(node.func, names)
            if asked in _ANSWERS:
                yield _rewrite(span_of(node, lines), (_ANSWERS[asked],), asked)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            arguments = node.args
            if node.func.id not in ("hasattr", "getattr") or len(arguments) < 2:
                continue
            of_tensors = _asked_of_a_value(node, own)
            if of_tensors is not None:
                yield Rewrite(
                    span_of(node, lines),
                    ("isinstance(", span_of(arguments[0], lines), ", ", *of_tensors, ")"),
                    Applicability.UNSAFE,
                    say("Ask whether it is a tensor"),
                    f"torch.Tensor.{ast.literal_eval(arguments[1])}",
                )
                continue
            asked = _asked(arguments[0], arguments[1], names)
            if asked is None or facts.canonical(asked) is None:
                continue
            span = span_of(node, lines)
            if node.func.id == "hasattr":
                yield _rewrite(span, ("True",), asked)
            else:
                yield _rewrite(span, (span_of(arguments[0], lines), f".{asked.rpartition('.')[2]}"), asked)
        elif isinstance(node, ast.Attribute) and node.attr == _DEFAULTS:
            function = _dotted(node.value, names)
            defaults = None if function is None else _keyword_defaults(function, facts)
            if function is not None and defaults is not None:
                yield _rewrite(span_of(node, lines), (defaults,), function)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In):
            (listed,) = node.comparators
            if (
                isinstance(listed, ast.Call)
                and isinstance(listed.func, ast.Name)
                and listed.func.id == "dir"
                and len(listed.args) == 1
            ):
                asked = _asked(listed.args[0], node.left, names)
                if asked is not None and facts.canonical(asked) is not None:
                    yield _rewrite(span_of(node, lines), ("True",), asked)


def _asked_of_a_value(call: ast.Call, own: set[str]) -> tuple[Piece, ...] | None:
    """The classes that something is an instance of one of where `hasattr` asks it for what tensors have; None for other
    questions, and where a class of the file has a method of that name itself."""
    match call:
        case ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=str(name))]) if (
            name not in own
        ):
            tensor = mindspore_name("mindspore.Tensor")
            if name in _OF_TENSORS:
                return (tensor,)
            if name in _OF_TENSORS_AND_MODULES:
                return ("(", tensor, ", ", mindspore_name("mindspore.nn.Cell"), ")")
    return None


def _versions_read(tree: ast.Module) -> Iterator[ast.expr]:
    """What is compared, or taken apart to be compared; what is only shown or kept stays."""
    for node in every_node(tree):
        if isinstance(node, ast.Compare):
            yield from (node.left, *node.comparators)
        elif isinstance(node, ast.Call) and len(node.args) == 1:
            function = ast.unparse(node.func).rpartition(".")[2]
            if function in _VERSION_READERS or _takes_versions_apart(function):
                yield node.args[0]
        elif isinstance(node, ast.Attribute) and node.attr in _TEXT_READERS:
            yield node.value


def _takes_versions_apart(function: str) -> bool:
    """Whether a function is named after what it makes of a version: `digit_version`, `_parse_torch_version`."""
    words = function.lower().strip("_").split("_")
    return "version" in words and words[0] not in ("print", "show", "log", "warn")


def _keyword_defaults(function: str, facts: TorchFacts) -> str | None:
    """What `__kwdefaults__` of a function is, as text; None where it is not known."""
    signatures = facts.signatures(function)
    if len(signatures) != 1:
        return None
    own = [one for one in signatures[0].parameters if one.kind is ParameterKind.KEYWORD_ONLY]
    if not own or any(one.default in (None, "...") for one in own):
        return None
    return "{" + ", ".join(f'"{one.name}": {one.default}' for one in own) + "}"


def _asked(owner: ast.expr, name: ast.expr, names: dict[str, str]) -> str | None:
    """The dotted torch name that is asked for; None where the question is another one."""
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str) or not name.value.isidentifier():
        return None
    dotted = _dotted(owner, names)
    return None if dotted is None else f"{dotted}.{name.value}"


def _dotted(node: ast.expr, names: dict[str, str]) -> str | None:
    """The torch name that an expression means; None where it means something else."""
    parts = dotted_name(node) or ("",)
    root = names.get(parts[0])
    return None if root is None else ".".join((root, *parts[1:]))


def _rewrite(span: Span, pieces: tuple[str | Span, ...], api: str) -> Rewrite:
    return Rewrite(span, pieces, Applicability.SAFE, say("Answer whether torch has `{api}`", api=api), api)
