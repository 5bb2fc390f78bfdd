"""Makes functions that handle no tensor: their values have methods and attributes with a tensor's, a module's or an
optimizer's names, as plain classes, tables, pictures and graphs have."""

from __future__ import annotations

import random

USES_TORCH = "import torch\n\ntotal = torch.ones(2, 3).sum()\n"
"""The beginning of a file in which torch is used elsewhere."""

# {0} is another value of the function, {1} a number. What hardly any class but torch's has, as named_parameters(), is
# left out: of such a value nothing else can be meant.
_MEMBERS = (
    "detach()", "add_({0})", "diag()", "diag({0})", "numel()", "size()", "size({1})", "view({1})",
    "view({1}, -1)", "t()", "dim()", "item()", "clone()", "cpu()", "float()", "long()", "expand({1}, {1})",
    "index_select({1}, {0})", "masked_fill({0}, {1})", "unsqueeze({1})", "squeeze()", "transpose({1}, 1)",
    "permute(0, 1)", "contiguous()", "mul({0})", "mul_({1})", "add({0})", "sub({0})", "dot({0})",
    "matmul({0})", "sum({1})", "mean()", "std()", "max()", "argmax({1})", "clamp({1}, 9)", "fill_({1})",
    "zero_()", "copy_({0})", "numpy()", "tolist()", "to({0})", "type({0})", "reshape({1}, -1)",
    "flatten()", "repeat({1})", "chunk({1})", "split({1})", "narrow({1}, 0, 1)", "gather({1}, {0})",
    "scatter_({1}, {0}, {0})", "backward()", "requires_grad_()", "data", "grad", "shape", "T", "dtype",
    "device", "is_cuda", "data.add_({0})", "train()", "eval()", "state_dict()", "load_state_dict({0})",
    "children()", "apply({0})", "forward({0})", "cuda()", "weight.data", "weight", "bias",
    "step()",
)  # fmt: skip
_FORMS = (
    "    {target} = {value}.{member}\n",
    "    {value}.{member}\n",
    "    for {target} in {value}.{member}:\n        print({target})\n",
    "    if {value}.{member}:\n        {target} = {value}\n",
    "    {target} = [{value}.{member}, {other}]\n",
    "    self.{target} = {value}.{member}\n",
    "    {target} = {value}.{member}[{number}]\n",
    "    {target} = {value}.{member} + {other}\n",
    '    {target} = f"{{{value}.{member}}}"\n',
)


def functions_without_tensors(seed: int, count: int) -> list[str]:
    """That many functions, the same for the same seed; each has one to four uses of such names."""
    chance = random.Random(seed)
    return [_function(number, chance) for number in range(count)]


def _function(number: int, chance: random.Random) -> str:
    parameters = chance.sample(
        ("node", "kernel", "image", "frame", "graph", "stack", "state", "x", "model", "agent"), 3
    )
    lines = [f"def f{number}(self, {', '.join(parameters)}):\n"]
    known = list(parameters)
    for _ in range(chance.randint(1, 4)):
        value, other = chance.choice(known), chance.choice(parameters)
        digit = chance.randint(0, 2)
        target = chance.choice(("y", "z", "result"))
        form = chance.choice(_FORMS)
        member = chance.choice(_MEMBERS).format(other, digit)
        lines.append(form.format(target=target, value=value, member=member, other=other, number=digit))
        if form.startswith("    {target} = {value}.{member}\n"):
            known.append(target)
    lines.append(f"    return {chance.choice(known)}\n")
    return "".join(lines)
