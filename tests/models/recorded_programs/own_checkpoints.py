"""Checkpointing with an operation of one's own: its `backward` computes the block again, and takes the gradients with
`autograd.grad`, or lets `backward()` fill them in, behind `enable_grad` or inside of it; inputs may be unused and
blocks may lie inside of one another. An average of the weights is written into `detach()`."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def checkpoint(block, inputs, parameters, again):
    return again.apply(block, len(inputs), *inputs, *parameters)


class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, count, *args):
        ctx.block = block
        ctx.inputs, ctx.weights = list(args[:count]), list(args[count:])
        with torch.no_grad():
            return block(*ctx.inputs)

    @staticmethod
    def backward(ctx, *gradients):
        ctx.inputs = [x.detach().requires_grad_(True) for x in ctx.inputs]
        with torch.enable_grad():
            copies = [x.view_as(x) for x in ctx.inputs]
            outputs = ctx.block(*copies)
        found = torch.autograd.grad(outputs, ctx.inputs + ctx.weights, gradients, allow_unused=True)
        return (None, None, *found)


class AgainInside(Again):
    @staticmethod
    def backward(ctx, *gradients):
        with torch.enable_grad():
            inputs = [x.detach().requires_grad_(True) for x in ctx.inputs]
            outputs = ctx.block(*inputs)
            found = torch.autograd.grad(outputs, inputs + ctx.weights, gradients, allow_unused=True)
        return (None, None, *found)


class AgainByBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, *inputs):
        ctx.block = block
        ctx.save_for_backward(*inputs)
        with torch.no_grad():
            return block(*inputs)

    @staticmethod
    def backward(ctx, gradient):
        inputs = [x.detach().requires_grad_() for x in ctx.saved_tensors]
        with torch.set_grad_enabled(True):
            output = ctx.block(*inputs)
        output.backward(gradient)
        return (None, *(x.grad for x in inputs))


class AgainByBackwardInside(AgainByBackward):
    @staticmethod
    def backward(ctx, gradient):
        with torch.enable_grad():
            inputs = [x.detach().requires_grad_() for x in ctx.saved_tensors]
            ctx.block(*inputs).backward(gradient)
        return (None, *(x.grad for x in inputs))


class Block(nn.Module):
    def __init__(self, inner=None, inside=False):
        super().__init__()
        self.inside = inside
        self.first = nn.Linear(6, 8)
        self.last = nn.Linear(8, 6)
        self.unused = nn.Linear(6, 6)
        self.inner = inner

    def forward(self, x, scale):
        again = AgainInside if self.inside else Again
        return checkpoint(self.work, (x, scale), tuple(self.parameters()), again)

    def work(self, x, scale):
        x = self.last(torch.tanh(self.first(x))) * scale + x
        return x if self.inner is None else self.inner(x, scale)


class Learner(nn.Module):
    def __init__(self, by_backward, inside=False):
        super().__init__()
        self.before = nn.Linear(6, 6)
        self.blocks = nn.ModuleList([Block(inside=inside), Block(Block(inside=inside), inside=inside)])
        self.head = nn.Linear(6, 3)
        self.by_backward = by_backward
        self.inside = inside

    def forward(self, x):
        x = self.before(x)
        scale = torch.sigmoid(x)
        for block in self.blocks:
            again = AgainByBackwardInside if self.inside else AgainByBackward
            x = again.apply(block.work, x, scale) if self.by_backward else block(x, scale)
        return self.head(x)


def average(kept, weights, rate):
    for target, source in zip(kept, weights):
        target.detach().mul_(rate).add_(source, alpha=1 - rate)


def networks():
    return Learner(False), Learner(True), Learner(False, inside=True), Learner(True, inside=True)


def run(first, second, third, fourth, arrays):
    losses = []
    optimizers = [torch.optim.Adam(net.parameters(), lr=0.01) for net in (first, second, third, fourth)]
    kept = copy.deepcopy(list(first.parameters()))
    for i in range(5):
        x, y = torch.from_numpy(arrays["inputs"][i]), torch.from_numpy(arrays["labels"][i])
        for net, optimizer in zip((first, second, third, fourth), optimizers):
            loss = F.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            losses += [loss.item(), net.before.weight.grad.norm().item()]
            losses.append(sum(p.grad.abs().sum().item() for p in net.parameters() if p.grad is not None))
            optimizer.step()
        average(kept, first.parameters(), 0.5)
        losses.append(kept[0].sum().item())
    return losses
