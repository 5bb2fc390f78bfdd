"""`autograd.grad` and leaves in a program that is recorded: what is written, and what stays with its reason."""

import pytest
from loop_texts import rewritten_loops

from mindport.model.target import Device, Target, Version
from mindport.rewrite.training.rewrites import training_rewrites

CPU = Target(Version(2, 10, 0), Device.CPU)
STEP = """import torch
from torch import autograd
def adapt(net, x, y):
    loss = torch.nn.functional.mse_loss(net(x), y)
    return {gradient}
"""


def of(text, recorded):
    return rewritten_loops(text, lambda text, usage: training_rewrites(text, usage, CPU, recorded=recorded))


@pytest.mark.parametrize(
    "arguments",
    [
        "loss, net.parameters()",
        "loss, [x, y], allow_unused=True",
        "loss, x, None, True, False",
        "loss, net.parameters(), create_graph=False",
        "loss, net.parameters(), create_graph=second_order",
    ],
)
def test_gradients_are_taken_of_what_was_recorded(arguments):
    text = STEP.format(gradient=f"autograd.grad({arguments})")
    found, _, reasons = of(text, recorded=True)
    assert f"    return torch_grad({arguments})" in found and not reasons
    found, _, reasons = of(text, recorded=False)
    assert found == text and reasons


@pytest.mark.parametrize(
    "arguments",
    [
        "loss, net.parameters(), create_graph=True",
        "loss, net.parameters(), None, True, True",
        "loss, net.parameters(), is_grads_batched=True",
        "loss, net.parameters(), **options",
    ],
)
def test_gradients_that_may_be_differentiated_again_stay_with_a_reason(arguments):
    text = STEP.format(gradient=f"torch.autograd.grad({arguments})")
    found, _, reasons = of(text, recorded=True)
    assert found == text and reasons


@pytest.mark.parametrize(
    "arguments",
    ["loss", "[loss, x.sum()]", "(loss, x), (None, y), True", "tensors=losses, grad_tensors=rewards"],
)
def test_gradients_of_several_losses_are_taken_of_what_was_recorded(arguments):
    text = STEP.format(gradient="loss").replace("return loss", f"autograd.backward({arguments})")
    found, _, reasons = of(text, recorded=True)
    assert f"    torch_backward_of_all({arguments})" in found and not reasons
    found, _, reasons = of(text, recorded=False)
    assert found == text and reasons


@pytest.mark.parametrize(
    "arguments",
    ["loss, None, None, True", "loss, create_graph=True", "loss, inputs=[x]", "losses, **options"],
)
def test_gradients_of_several_losses_stay_where_more_is_asked_for(arguments):
    text = STEP.format(gradient="loss").replace("return loss", f"torch.autograd.backward({arguments})")
    assert of(text, recorded=True)[0] == text


PENALTY = """import torch
from torch import autograd
def penalty(critic, x, cuda):
    x.requires_grad_(True)
    score = critic(x)
    ones = torch.ones(score.size()).cuda() if cuda else torch.{otherwise}(score.size())
    return autograd.grad(score, x, ones, create_graph=True)[0]
"""


@pytest.mark.parametrize(("otherwise", "is_written"), [("ones", True), ("zeros", False), ("rand", False)])
def test_ones_of_one_device_or_the_other_are_ones(otherwise, is_written):
    found, _, reasons = of(PENALTY.format(otherwise=otherwise), recorded=True)
    assert ("torch_input_gradient(critic)(x)" in found) is is_written
    assert bool(reasons) is not is_written


@pytest.mark.parametrize(
    ("statement", "written"),
    [
        ("loss.backward(create_graph=again)", "torch_backward(loss, create_graph=again)"),
        ("loss.backward(one)", "torch_backward(loss, one)"),
        ("self.d_loss.backward(weights.loss)", "torch_backward(self.d_loss, weights.loss)"),
        ("out.backward(loss_weights)", "torch_backward(out, loss_weights)"),
        ("accelerator.backward(loss)", "accelerator.backward(loss)"),
        ("self.engine.backward(self.total_loss)", "self.engine.backward(self.total_loss)"),
        ("loss.backward(create_graph=False)", "torch_backward(loss)"),
        ("loss.backward(create_graph=True)", "loss.backward(create_graph=True)"),
        ("scaler.scale(loss).backward(retain_graph=again)", "torch_backward(loss, retain_graph=again)"),
        (
            "ps = [p for p in ps if p.grad is not None]",
            'ps = [p for p in ps if getattr(p, "grad", None) is not None]',
        ),
        ("if net.w.grad is None: return", 'if getattr(net.w, "grad", None) is None: return'),
        ("if loss.grad is other: return", "if loss.grad is other: return"),
        ("if torch.autograd.grad is None: return", "if torch.autograd.grad is None: return"),
        ("loss.requires_grad = True", "torch_require_grad(loss)"),
        ("loss.requires_grad = again", "torch_require_grad(loss, again)"),
    ],
)
def test_gradients_where_a_program_is_recorded(statement, written):
    text = f"import torch\ndef f(loss: torch.Tensor, net, ps, scaler, again, other):  # 中文 😀\n    {statement}\n"
    found, _, _ = of(text, recorded=True)
    assert found.splitlines()[-1].strip() == written
    if statement.startswith("if"):
        assert of(text, recorded=False)[0] == text


@pytest.mark.parametrize(
    "statement",
    [
        "for p in net.parameters(): p.requires_grad = True",
        "for _, p in net.named_parameters(): p.requires_grad = x",
        "net.weight.requires_grad = True",
        "torch.nn.Parameter(x).requires_grad = False",
        "for p in filter(lambda p: p.requires_grad, net.parameters()): p.requires_grad = False",
    ],
)
def test_parameters_are_asked_for_gradients_as_in_torch(statement):
    text = f"import torch\ndef f(net: torch.nn.Linear, x: torch.Tensor):\n    {statement}\n"
    found, _, _ = of(text, recorded=True)
    assert found == text
