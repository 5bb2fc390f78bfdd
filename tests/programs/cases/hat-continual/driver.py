import sys
import types

import numpy as np
import torch

sys.path.insert(0, "src")

import utils  # noqa: E402
from approaches import ewc, hat, imm_mode, lwf, progressive  # noqa: E402
from networks import alexnet_hat, alexnet_progressive, mlp, mlp_hat  # noqa: E402

TASKS = [(0, 3), (1, 2)]
ARGUMENTS = types.SimpleNamespace(parameter="")


def undropped(net):
    """No randomness may decide."""
    for one in net.modules():
        if isinstance(one, torch.nn.Dropout):
            one.p = 0.0
    return net


def build():
    return (
        mlp_hat.Net((1, 6, 6), TASKS, nlayers=2, nhid=20, pdrop1=0.0, pdrop2=0.0),
        undropped(mlp.Net((1, 6, 6), TASKS)),
        undropped(alexnet_progressive.Net((3, 32, 32), TASKS)),
        undropped(alexnet_hat.Net((3, 32, 32), TASKS)),
    )


def init():
    torch.manual_seed(1)
    net = alexnet_hat.Net((3, 32, 32), TASKS)
    return {"conv": net.c2.weight, "linear": net.fc2.weight, "gates": net.efc1.weight, "head": net.last[0].weight}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def labels(seed, rows, count):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, count, rows))


def forward(net, plain, columns, whole):
    for one in (net, plain, columns, whole):
        one.eval()
    task = torch.LongTensor([1])

    def views(one):
        masks = one.mask(task, s=3)
        found = [one.get_view_for(name, masks) for name, _ in one.named_parameters()]
        return [[view.dim(), view.numel(), float(view.sum())] for view in found if view is not None]

    return {
        "gated": lambda: net(task, array(0, 4, 1, 6, 6), s=2.5)[0],
        "masks": lambda: net.mask(task, s=400),
        "whole": lambda: whole(task, array(1, 2, 3, 32, 32), s=1.5)[0],
        "views": lambda: views(net),
        "whole_views": lambda: views(whole),
        "plain": lambda: plain(array(2, 4, 1, 6, 6)),
        "columns": lambda: [columns(array(3, 2, 3, 32, 32), t)[t] for t in (0, 1)],
        "distance": lambda: utils.cross_entropy(array(4, 3, 5), array(5, 3, 5), exp=0.5),
        "each": lambda: utils.cross_entropy(array(4, 3, 5), array(5, 3, 5), size_average=False),
        "report": lambda: [int(utils.print_model_report(net)), utils.human_format(12345678) == "12.3M"],
        "statistics": lambda: list(utils.compute_mean_std_dataset([(array(6 + n, 3, 5, 5), n) for n in range(4)])),
    }


def run(approach, name, results, shape, epochs=2, **settings):
    """What run.py does with the tasks."""
    np.random.seed(3)
    model = approach.model if hasattr(approach, "model") else None
    accuracy = np.zeros((2, 2), dtype=np.float32)
    losses = []
    for t, count in TASKS:
        rows = array(20 + t, 10, *shape)
        valid = array(30 + t, 4, *shape)
        approach.train(t, rows, labels(40 + t, 10, count), valid, labels(50 + t, 4, count))
        for u in range(t + 1):
            loss, accuracy[t, u] = approach.eval(u, array(30 + u, 4, *shape), labels(50 + u, 4, TASKS[u][1]))
            losses.append(loss)
    results[name + "_losses"] = losses
    results[name + "_accuracy"] = accuracy.tolist()
    results[name + "_lr"] = approach.optimizer.param_groups[0]["lr"]
    return model


def train(net, plain, columns, whole):
    results = {}
    settings = {"nepochs": 2, "sbatch": 4, "args": ARGUMENTS}
    kept = utils.get_model(plain)
    one = hat.Appr(net, lr_patience=1, **settings)
    run(one, "hat", results, (1, 6, 6))
    results["hat_mask"] = one.mask_pre
    results["hat_back"] = one.mask_back["fc2.weight"]
    results["hat_gates"] = net.efc1.weight
    results["hat_weight"] = net.fc2.weight
    run(hat.Appr(whole, **settings), "whole", results, (3, 32, 32))
    results["whole_conv"] = whole.c1.weight
    for name, module in (("ewc", ewc), ("imm", imm_mode), ("lwf", lwf)):
        utils.set_model_(plain, kept)
        one = module.Appr(plain, **settings)
        run(one, name, results, (1, 6, 6))
        results[name + "_weight"] = plain.fc2.weight[:5]
        results[name + "_head"] = plain.last[0].weight
        if name != "lwf":
            results[name + "_fisher"] = one.fisher["fc1.weight"][:5]
        results[name + "_frozen"] = [each.requires_grad for each in one.model_old.parameters()]
    run(progressive.Appr(columns, **settings), "columns", results, (3, 32, 32))
    results["column_first"] = columns.conv1[0].weight
    results["column_scale"] = columns.V2scale[0].weight
    results["column_last"] = columns.last[1].weight
    results["column_trained"] = [one.requires_grad for one in columns.parameters()]
    return results
