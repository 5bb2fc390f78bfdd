import numpy as np
import torch
import torch.nn.functional as F

from models.model import CifarResNeXt, ResNeXtBottleneck

state = {"learning_rate": 0.1, "momentum": 0.9, "decay": 0.0005, "gamma": 0.1, "schedule": [1]}


def build():
    net = CifarResNeXt(cardinality=2, depth=11, nlabels=10, base_width=8, widen_factor=1)
    return net, ResNeXtBottleneck(16, 64, 2, cardinality=4, base_width=4, widen_factor=1)


def init():
    torch.manual_seed(1)
    net = CifarResNeXt(4, 11, 100, 16, 2)
    return {
        "conv": net.conv_1_3x3.weight,
        "expand": net.stage_2[0].conv_expand.weight,
        "classifier": net.classifier.weight,
        "bn": net.bn_1.weight,
        "classifier_bias": net.classifier.bias,
    }


def batch(seed):
    rng = np.random.RandomState(seed)
    target = rng.randint(0, 10, 6)
    data = rng.randn(6, 3, 32, 32) + target[:, None, None, None] / 5
    return torch.from_numpy(data.astype("float32")), torch.from_numpy(target)


def forward(net, bottleneck):
    net.eval()
    bottleneck.eval()
    data, target = batch(0)
    rng = np.random.RandomState(1)
    return {
        "output": net(data),
        "loss": lambda: F.cross_entropy(net(data), target),
        "stage": lambda: net.stage_1.forward(net.conv_1_3x3.forward(data)),
        "bottleneck": lambda: bottleneck(torch.from_numpy(rng.randn(2, 16, 8, 8).astype("float32"))),
        "entries": lambda: len([key for key in net.state_dict() if "num_batches" not in key]),
    }


def train(net, bottleneck):
    """The functions train and test of train.py, which lie inside its main block and want a GPU."""
    optimizer = torch.optim.SGD(
        net.parameters(),
        state["learning_rate"],
        momentum=state["momentum"],
        weight_decay=state["decay"],
        nesterov=True,
    )
    history = []
    for epoch in range(2):
        if epoch in state["schedule"]:
            state["learning_rate"] *= state["gamma"]
            for param_group in optimizer.param_groups:
                param_group["lr"] = state["learning_rate"]

        net.train()
        loss_avg = 0.0
        for data, target in [batch(10 + 2 * epoch), batch(11 + 2 * epoch)]:
            data, target = torch.autograd.Variable(data), torch.autograd.Variable(target)
            output = net(data)
            optimizer.zero_grad()
            loss = F.cross_entropy(output, target)
            loss.backward()
            optimizer.step()
            loss_avg = loss_avg * 0.2 + float(loss) * 0.8
        history.append(loss_avg)

        net.eval()
        correct = 0
        data, target = batch(100)
        output = net(data)
        pred = output.data.max(1)[1]
        correct += float(pred.eq(target.data).sum())
        history += [float(F.cross_entropy(output, target)), correct]
    state["learning_rate"] = 0.1
    return {
        "history": np.array(history),
        "conv": net.conv_1_3x3.weight,
        "classifier": net.classifier.weight,
        "running_mean": net.bn_1.running_mean,
    }
