import numpy as np
import torch
from torch import nn
from torch.optim import Adam

import example
from moe import MLP, MoE, SparseDispatcher

SIZE, CLASSES, EXPERTS = 12, 5, 6


def build():
    return MoE(SIZE, CLASSES, EXPERTS, 7, k=3), MoE(SIZE, CLASSES, EXPERTS, 7, noisy_gating=False, k=2), MoE(SIZE, CLASSES, 2, 7, k=2)


def init():
    torch.manual_seed(1)
    return {"experts": MoE(30, 20, 4, 40).experts[2].fc1.weight, "out": MLP(30, 20, 40).fc2.weight}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def dispatched():
    gates = torch.tensor([[0.2, 0.0, 0.8], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.4, 0.6]])
    dispatcher = SparseDispatcher(3, gates)
    parts = dispatcher.dispatch(array(1, 4, 3))
    together = dispatcher.combine([part * (1 + index) for index, part in enumerate(parts)])
    plain = dispatcher.combine(list(parts), multiply_by_gates=False)
    return [*parts, together, plain, *dispatcher.expert_to_gates()]


def unused():
    """An expert that nothing goes to."""
    dispatcher = SparseDispatcher(3, torch.tensor([[0.2, 0.0, 0.8], [0.6, 0.0, 0.4]]))
    parts = dispatcher.dispatch(array(2, 2, 3))
    return [[len(part) for part in parts], dispatcher.combine([part * 2 for part in parts])]


def noisy(net):
    net.train()
    return list(net.noisy_top_k_gating(array(3, 4, SIZE), True))


def forward(net, clean, two):
    for one in (net, clean, two):
        one.eval()
    return {
        "net": lambda: net(array(0, 5, SIZE)),
        "clean": lambda: clean(array(0, 5, SIZE)),
        "two": lambda: two(array(0, 5, SIZE)),
        "dispatched": dispatched,
        "unused": unused,
        "noisy": lambda: noisy(net),
        "one": lambda: net.cv_squared(torch.ones(1)),
        "load": lambda: net._gates_to_load(torch.tensor([[0.2, 0.0], [0.3, 0.1]])),
    }


def train(net, clean, two):
    results, loss_fn = {}, nn.CrossEntropyLoss()
    for name, model in (("net", net), ("clean", clean), ("two", two)):
        optim, losses = Adam(model.parameters()), []
        for step in range(3):
            x, y = array(10 + step, 6, SIZE), torch.tensor([0, 1, 2, 3, 4, step])
            model.train()
            model = example.train(x, y, model, loss_fn, optim)
            example.eval(x, y, model, loss_fn)
            with torch.no_grad():
                y_hat, aux = model(x)
                losses.append([loss_fn(y_hat, y).item(), aux.item()])
        results[name + "_losses"] = losses
    return {
        **results,
        "gate": net.w_gate,
        "noise": net.w_noise,
        "expert": net.experts[1].fc1.weight,
        "clean_gate": clean.w_gate,
        "two_expert": two.experts[0].fc2.bias,
    }
