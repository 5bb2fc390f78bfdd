"""A request to MindSpore's community for a name of torch that has no equivalent: a title and a text in markdown, filled
in from the mapping, the signatures and the counts of use. It is in English for whoever reads it there."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from urllib.parse import urlencode

import msgspec

from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.schema import Case, Mapping
from mindport.model.target import Target
from mindport.registry.signature import ParameterKind, Signature
from mindport.registry.tables import torch_usage
from mindport.registry.torch import torch_facts
from mindport.source.trees import every_node

ISSUES = "https://gitee.com/mindspore/mindspore/issues"
_MIRROR = "https://github.com/mindspore-ai/mindspore/issues/new"  # which takes a title and a text in the link
_MODULES = ("torch", "nn", "F", "optim")
_LONGEST_LINK = 8000  # what browsers and servers take for certain


class IssueRequest(msgspec.Struct, frozen=True):
    """An issue as it is to be posted."""

    title: str
    body: str

    @property
    def link(self) -> str:
        """Opens the issue with title and text filled in; what would make it too long is left out at the end."""
        body = self.body
        while len(link := f"{_MIRROR}?{urlencode({'title': self.title, 'body': body})}") > _LONGEST_LINK:
            body = body[: len(body) * 9 // 10]
        return link


def is_missing(name: str, target: Target, index: MappingIndex | None = None) -> bool:
    """Whether some use of a torch name has no equivalent on a target, or the name was never judged."""
    mapping = (index or load_index()).find(name)
    return mapping is None or any(_is_for(case, target) for case in mapping.cases)


def request(
    name: str, target: Target, call: str = "", index: MappingIndex | None = None, system: str = ""
) -> IssueRequest | None:
    """The request for a public name of torch, in its canonical spelling; None for any other name. `call` is the code
    that needs it, `system` the operating system."""
    torch = torch_facts()
    if torch.kind(name) is None:
        return None
    mapping = (index or load_index()).find(name)
    signatures = torch.signatures(name)
    lines = [f"MindSpore has no equivalent of `{name}`."]
    lines += ["", "## What it does", ""]
    if mapping is not None:
        lines += [mapping.summary, ""]
    lines += [f"    {name}{_text(signature)}" for signature in signatures]
    if signatures:
        lines.append("")
    lines.append(f"Documentation: <https://docs.pytorch.org/docs/stable/generated/{name}.html>")
    lines += ["", "## Minimal reproduction", "", *_reproduction(call)]
    tried = [] if mapping is None else list(_tried(mapping, target))
    if tried:
        lines += ["", "## What was tried in its place", "", *tried]
    lines += ["", "## Environment", ""]
    lines += [f"- MindSpore {target.version}", f"- {target.device.value}, {target.mode.value} mode"]
    lines += [
        f"- {system}" if system else "- Operating system: (to be completed)",
        "- Python: (to be completed)",
    ]
    count = torch_usage().get(name)
    if count is not None and count.uses:
        lines += ["", "## How much it is used", ""]
        lines.append(f"{count.uses} uses in {count.packages} of the public packages that were counted.")
    return IssueRequest(f"Add an equivalent of {name}", "\n".join(lines) + "\n")


def _is_for(case: Case, target: Target) -> bool:
    return case.verdict == "none" and (not case.devices or target.device.value in case.devices)


def _tried(mapping: Mapping, target: Target) -> Iterator[str]:
    for case in mapping.cases:
        if _is_for(case, target):
            for sentence in (case.why, *case.tried):
                if sentence:
                    yield f"- {sentence}"


def _reproduction(call: str) -> Iterator[str]:
    """Code of torch that shows the call; what goes into it is for its author to complete."""
    yield "```python"
    yield "import torch"
    if "F." in call:
        yield "import torch.nn.functional as F"
    if "nn." in call.replace("torch.nn.", ""):
        yield "from torch import nn"
    yield ""
    for name in _inputs_of(call):
        yield f"{name} = torch.rand(4, 4)  # to be completed: the shape, the dtype and the values of your program"
    yield f"print({call})" if call else "# to be completed: a call with the inputs of your program"
    yield "```"


def _inputs_of(call: str) -> list[str]:
    try:
        tree = ast.parse(call.strip() or "0", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names = [node.id for node in every_node(tree) if isinstance(node, ast.Name)]
    return [name for name in dict.fromkeys(names) if name not in (*_MODULES, *dir(builtins))]


def _text(signature: Signature) -> str:
    words = []
    keyword_only = False
    for one in signature.parameters:
        star = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}.get(one.kind, "")
        if one.kind is ParameterKind.KEYWORD_ONLY and not keyword_only:
            words.append("*")
            keyword_only = True
        words.append(f"{star}{one.name}" + ("" if one.default is None else f"={one.default}"))
    return f"({', '.join(words)})"
