import numpy as np
import torch
import torch.nn.functional as F

import models
import utils


class Loader(list):
    dataset = range(8)


def loader(seed):
    rng = np.random.RandomState(seed)
    return Loader(
        (torch.from_numpy(rng.randn(4, 3, 32, 32).astype("float32")), torch.from_numpy(rng.randint(0, 10, 4)))
        for _ in range(2)
    )


def build():
    configured = getattr(models, "PreResNet110")
    net = configured.base(*configured.args, num_classes=10, **{"depth": 8})
    average = configured.base(*configured.args, num_classes=10, **{"depth": 8})
    vgg = getattr(models, "VGG16BN")
    return net, average, vgg.base(*vgg.args, num_classes=10, **vgg.kwargs)


def forward(net, average, vgg):
    data = torch.from_numpy(np.random.RandomState(5).randn(2, 3, 32, 32).astype("float32"))
    outputs = {}
    for name, model in (("net", net), ("average", average), ("vgg", vgg)):
        model.eval()
        outputs[name] = lambda model=model: model(data)
    return outputs


def train(net, average, vgg):
    def averaged():
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
        swa_n, kept = 0, []
        for epoch in range(3):
            utils.adjust_learning_rate(optimizer, 0.01 / (epoch + 1))
            res = utils.train_epoch(loader(epoch), net, F.cross_entropy, optimizer)
            kept += [res["loss"], res["accuracy"]]
            if epoch >= 1:
                utils.moving_average(average, net, 1.0 / (swa_n + 1))
                swa_n += 1
        utils.bn_update(loader(9), average)
        res = utils.eval(loader(10), average, F.cross_entropy)
        utils.save_checkpoint(
            ".", 3, state_dict=net.state_dict(), swa_state_dict=average.state_dict(), swa_n=swa_n,
            optimizer=optimizer.state_dict(),
        )  # fmt: skip
        checkpoint = torch.load("checkpoint-3.pt")
        net.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        kept += [res["loss"], res["accuracy"], checkpoint["swa_n"], average.bn.momentum]
        kept += [average.bn.running_mean, average.bn.running_var, average.fc.weight, net.fc.weight]
        return kept + [average.layer1[0].bn1.running_var]

    return {"averaged": averaged}
