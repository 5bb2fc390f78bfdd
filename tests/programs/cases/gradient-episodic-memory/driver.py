import itertools
import types

import numpy as np
import quadprog
import torch


def solve_qp(matrix, linear, constraints, least):
    """What quadprog finds where the constraints are of single values: tries all sets of those that hold exactly."""
    count = len(linear)
    for size in range(count + 1):
        for tight in itertools.combinations(range(count), size):
            free = [one for one in range(count) if one not in tight]
            found = least.astype("float64").copy()
            if free:
                known = np.dot(np.asarray(matrix)[np.ix_(free, list(tight))], least[list(tight)])
                found[free] = np.linalg.solve(np.asarray(matrix)[np.ix_(free, free)], linear[free] - known)
            slope = np.dot(matrix, found) - linear
            if (found >= least - 1e-12).all() and (slope[list(tight)] >= -1e-12).all():
                return (found,)
    raise ValueError("no solution")


quadprog.solve_qp = solve_qp

import main as program  # noqa: E402
from metrics.metrics import confusion_matrix  # noqa: E402
from model import ewc, gem, independent, multimodal, single  # noqa: E402
from model.common import MLP, ResNet18  # noqa: E402

INPUTS, CLASSES, TASKS = 12, 4, 3


def settings(**others):
    return types.SimpleNamespace(**{
        "n_layers": 1, "n_hiddens": 10, "memory_strength": 0.5, "data_file": "mnist.pt", "lr": 0.1, "n_memories": 5,
        "cuda": False, "finetune": "yes", "log_every": 2, **others,
    })  # fmt: skip


def build():
    return (
        gem.Net(INPUTS, CLASSES, TASKS, settings()),
        ewc.Net(INPUTS, CLASSES, TASKS, settings(memory_strength=20.0)),
        independent.Net(INPUTS, CLASSES, TASKS, settings()),
        single.Net(INPUTS, CLASSES, TASKS, settings()),
        gem.Net(3 * 32 * 32, 6, 3, settings(data_file="cifar100.pt", lr=0.0005, n_memories=3)),
    )


def init():
    torch.manual_seed(1)
    net = MLP([40, 50, 30])
    return {"first": net.net[0].weight, "last": net.net[2].weight, "conv": ResNet18(7).layer3[0].conv1.weight}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(memory, elastic, apart, together, pictures):
    for one in (memory, elastic, apart, together, pictures):
        one.eval()

    def stored():
        grads, layer = torch.ones(9, 2), torch.nn.Linear(2, 3)
        layer.weight.data.copy_(array(1, 3, 2))
        layer.bias.data.fill_(0.5)
        layer(array(2, 4, 2)).pow(2).sum().backward()
        gem.store_grad(layer.parameters, grads, [6, 3], 1)
        gem.overwrite_grad(layer.parameters, 2.0 * grads[:, 1] + 1.0, [6, 3])
        return [grads, layer.weight.grad.view(-1, 1)]

    def projected():
        grads = array(3, 7, 3)
        gem.project2cone2(grads[:, 2].unsqueeze(1), grads.index_select(1, torch.LongTensor([0, 1])), 0.5)
        return grads

    return {
        "memory": lambda: memory(array(4, 3, INPUTS), 1),
        "elastic": lambda: elastic(array(4, 3, INPUTS), 1),
        "apart": lambda: apart(array(4, 3, INPUTS), 2),
        "pictures": lambda: [pictures(array(5, 2, 3 * 32 * 32), task) for task in range(3)],
        "offsets": lambda: [gem.compute_offsets(2, 5, flag) for flag in (True, False)],
        "stored": stored,
        "projected": projected,
        "confusion": lambda: confusion_matrix(
            torch.tensor([0, 0, 1, 1]), torch.tensor([[0.2, 0.1], [0.5, 0.3], [0.6, 0.4], [0.7, 0.9]])
        ),
    }  # fmt: skip


def experience(width, offset, batches=3, rows=4):
    """Tasks one after another, as a continuum gives them."""
    for task in range(TASKS):
        for batch in range(batches):
            draw = np.random.RandomState(100 * task + batch)
            labels = draw.randint(0, 2 if offset else CLASSES, rows) + offset * task
            yield array(100 * task + batch, rows, width), task, torch.from_numpy(labels)


def tests(width, offset):
    return [(task, array(900 + task, 5, width), torch.arange(5) % 2 + offset * task) for task in range(TASKS)]


def train(memory, elastic, apart, together, pictures):
    results = {}
    for name, net in (("memory", memory), ("elastic", elastic), ("apart", apart), ("together", together)):
        right = program.life_experience(net, experience(INPUTS, 0), tests(INPUTS, 0), settings())
        results[name + "_tasks"], results[name + "_right"] = right[0], right[1]
    right = program.life_experience(pictures, experience(3 * 32 * 32, 2), tests(3 * 32 * 32, 2), settings(log_every=4))
    results["pictures_right"] = right[1]
    with torch.no_grad():
        losses = [
            float(torch.nn.functional.cross_entropy(net(rows, task), label))
            for net in (memory, elastic, together)
            for rows, task, label in experience(INPUTS, 0, batches=1)
        ]
    torch.save(memory.state_dict(), "kept.pt")
    return {
        **results,
        "losses": losses,
        "memory": memory.net.net[0].weight,
        "grads": memory.grads,
        "kept": memory.memory_data,
        "labels": memory.memory_labs,
        "seen": memory.observed_tasks,
        "elastic": elastic.net.net[2].weight,
        "fisher": elastic.fisher[1][0],
        "together": together.net.net[0].weight,
        "conv": pictures.net.layer2[0].conv1.weight,
        "linear": pictures.net.linear.weight,
        "names": len(torch.load("kept.pt")),
    }
