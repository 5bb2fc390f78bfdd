import sys

import numpy as np
import torch

sys.path.append("example")
from model.smooth_cross_entropy import smooth_crossentropy  # noqa: E402
from model.wide_res_net import WideResNet  # noqa: E402
from sam import SAM  # noqa: E402
from utility.bypass_bn import disable_running_stats, enable_running_stats  # noqa: E402
from utility.initialize import initialize  # noqa: E402
from utility.log import Log  # noqa: E402
from utility.step_lr import StepLR  # noqa: E402

LABELS, EPOCHS = 10, 4


def build():
    return WideResNet(10, 1, 0.0, in_channels=3, labels=LABELS)


def batch(seed, count=6):
    random = np.random.RandomState(seed)
    images = torch.from_numpy(random.randn(count, 3, 32, 32).astype("float32"))
    return images, torch.from_numpy(random.randint(0, LABELS, count))


def forward(net):
    net.eval()
    images, targets = batch(0)
    logits = net(images)
    return {
        "logits": logits,
        "loss": smooth_crossentropy(logits, targets, smoothing=0.1),
        "sharp": lambda: smooth_crossentropy(logits, targets, smoothing=0.0),
    }


def steps(model, adaptive, rho):
    """As example/train.py, which runs them when it is imported."""
    device = torch.device("cpu")
    log = Log(log_each=2)
    base_optimizer = torch.optim.SGD
    optimizer = SAM(
        model.parameters(),
        base_optimizer,
        rho=rho,
        adaptive=adaptive,
        lr=0.02,
        momentum=0.9,
        weight_decay=0.0005,
    )
    scheduler = StepLR(optimizer, 0.02, EPOCHS)
    losses, rates, norms = [], [], []
    for epoch in range(EPOCHS):
        model.train()
        log.train(len_dataset=1)
        for batch_ in [batch(epoch + 1)]:
            inputs, targets = (b.to(device) for b in batch_)

            # first forward-backward step
            enable_running_stats(model)
            predictions = model(inputs)
            loss = smooth_crossentropy(predictions, targets, smoothing=0.1)
            loss.mean().backward()
            optimizer.first_step(zero_grad=True)
            norms.append(model.f[0].weight.norm().item())

            # second forward-backward step
            disable_running_stats(model)
            smooth_crossentropy(model(inputs), targets, smoothing=0.1).mean().backward()
            optimizer.second_step(zero_grad=True)

            with torch.no_grad():
                correct = torch.argmax(predictions.data, 1) == targets
                log(model, loss.cpu(), correct.cpu(), scheduler.lr())
                scheduler(epoch)
        losses.append(loss.mean().item())
        rates.append(scheduler.lr())
        model.eval()
        log.eval(len_dataset=1)
        with torch.no_grad():
            inputs, targets = batch(9)
            predictions = model(inputs)
            loss = smooth_crossentropy(predictions, targets)
            correct = torch.argmax(predictions, 1) == targets
            log(model, loss.cpu(), correct.cpu())
        losses.append(loss.mean().item())
    log.flush()
    return losses, rates, norms


def train(model):
    class Arguments:
        pass

    initialize(Arguments(), seed=42)
    losses, rates, norms = steps(model, True, 0.5)
    more, _, climbed = steps(model, False, 0.05)
    return {
        "losses": losses,
        "rates": rates,
        "norms": norms,
        "more": more,
        "climbed": climbed,
        "first": model.f[0].weight,
        "mean": model.f[4].running_mean,
        "last": model.f[8].weight,
    }


def init():
    return {"first": build().f[0].weight}
