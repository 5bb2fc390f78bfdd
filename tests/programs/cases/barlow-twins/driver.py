import argparse
import tempfile

import numpy as np
import torch

import main

args = argparse.Namespace(
    batch_size=8,
    projector="64-64-64",
    lambd=0.0051,
    epochs=20,
    learning_rate_weights=50.0,
    learning_rate_biases=0.5,
    weight_decay=1e-6,
)


def build():
    return main.BarlowTwins(args)


def views(seed):
    rng = np.random.RandomState(seed)
    image = rng.randn(args.batch_size, 3, 32, 32)
    return [torch.from_numpy((image + 0.3 * rng.randn(*image.shape)).astype("float32")) for _ in range(2)]


def forward(model):
    model.eval()
    y1, y2 = views(0)
    return {
        "representation": model.backbone(y1),
        "embedding": model.projector(model.backbone(y2)),
        "off_diagonal": main.off_diagonal(torch.arange(16.0).view(4, 4)),
    }


def larses(model):
    param_weights = []
    param_biases = []
    for param in model.parameters():
        if param.ndim == 1:
            param_biases.append(param)
        else:
            param_weights.append(param)
    parameters = [{"params": param_weights}, {"params": param_biases}]
    return main.LARS(
        parameters,
        lr=0,
        weight_decay=args.weight_decay,
        weight_decay_filter=True,
        lars_adaptation_filter=True,
    )


def trained(model, loss_of):
    optimizer = larses(model)
    loader = [None]
    model.train()
    losses = []
    for step in range(1, 4):
        y1, y2 = views(step)
        main.adjust_learning_rate(args, optimizer, loader, step)
        optimizer.zero_grad()
        loss = loss_of(y1, y2)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def in_one_process(model):
    """The model sums its matrix over all processes; here it is a group of one."""
    if not torch.distributed.is_initialized():
        with tempfile.TemporaryDirectory() as folder:
            torch.distributed.init_process_group(
                "gloo", init_method=f"file://{folder}/meeting", world_size=1, rank=0
            )
    return trained(model, model.forward)


def without_processes(model):
    """LARS on the invariance of the embeddings, which needs no group."""

    def invariance(y1, y2):
        z1 = model.projector(model.backbone(y1))
        z2 = model.projector(model.backbone(y2))
        return ((z1 - z2) ** 2).mean()

    return trained(model, invariance)


def train(model):
    other = build()
    other.load_state_dict(model.state_dict())
    return {
        "losses": lambda: in_one_process(model),
        "weight": lambda: model.projector[0].weight,
        "lars": lambda: without_processes(other),
        "lars_weight": lambda: other.projector[0].weight,
    }
