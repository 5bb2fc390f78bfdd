"""A training step that is too free to be converted.

What it does
------------
Reports calls of `backward()`, `step()` and `autograd.grad` that a safe fix leaves as they are, and says why: safe fixes
convert steps whose loss, gradients and optimizer can be followed inside one function. It also says whether
`--unsafe-fixes` and `mindport port` convert the step in the other way, by recording the program.

Why it matters
--------------
MindSpore differentiates functions: what is left of such a step raises, and nothing around it can train.

Example
-------
    def losses(net, x, y):
        loss = F.mse_loss(net(x), y)
        loss.backward()  # the optimizer steps in another function
        return loss

Use instead
-----------
Compute the loss in a function, `forward`, and call `mindspore.value_and_grad(forward, None, optimizer.parameters)()`,
which gives the loss and the gradients, then `optimizer(grads)`. Where the loss, `backward()` and `step()` stand in one
block, and nothing reads `.grad`, `mindport fix` writes that.

Any other step may stay as it stands in PyNative mode: with `--unsafe-fixes` the optimizers keep `step()` and
`zero_grad()`, `loss.backward()` becomes `torch_backward(loss)`, and the program is recorded from one such call to the
next. The port then needs the package greenlet. What stays all the same are `backward()` with `create_graph=True` or
`inputs=`, and half precision on other devices than the CPU.

References
----------
docs/architecture.md, on `rewrite/training`.
"""

from __future__ import annotations

from mindport.model.finding import Severity
from mindport.model.language import say, translated
from mindport.model.target import Target
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words


def _check(reason: str, is_recorded: bool, target: Target) -> str:
    if is_recorded:
        return say(
            "safe fixes do not convert this training step to {target}: {reason}; `--unsafe-fixes` and `mindport port`"
            " do, by recording the program",
            target=target_words(target),
            reason=translated(reason),
        )
    return say(
        "this training step is not converted to {target}: {reason}",
        target=target_words(target),
        reason=translated(reason),
    )


_STEP = """import torch
def train(net, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        loss = net(x).sum()
        loss.backward()
        {between}
        optimizer.step()
"""

RULE = Rule(
    code="MP116",
    name="training-step-too-free",
    severity=Severity.WARNING,
    page=__doc__,
    check_step=_check,
    examples=(
        RuleExample(_STEP.format(between="print(net.weight.grad)"), True),
        RuleExample(_STEP.format(between="print(loss.item())"), False),
    ),
)
