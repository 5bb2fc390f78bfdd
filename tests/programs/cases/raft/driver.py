import argparse

import numpy as np
import torch

import train as raft_train
from train import GradScaler, Logger, count_parameters, fetch_optimizer, sequence_loss

from raft import RAFT
from utils.utils import InputPadder, forward_interpolate


def arguments(small):
    return argparse.Namespace(
        small=small, dropout=0.0, alternate_corr=False, mixed_precision=False, lr=4e-4, num_steps=10,
        wdecay=5e-5, epsilon=1e-8, clip=1.0, gamma=0.8, iters=3,
    )  # fmt: skip


def build():
    return RAFT(arguments(True)), RAFT(arguments(False))


def init():
    torch.manual_seed(1)
    model = RAFT(arguments(False))
    return {"fnet": model.fnet.conv1.weight, "gru": model.update_block.gru.convz1.weight}


def frames(seed, height=128, width=128):
    rng = np.random.RandomState(seed)
    image1, image2 = 255 * rng.rand(2, 1, 3, height, width)
    flow = 4 * rng.randn(1, 2, height, width)
    valid = rng.rand(1, height, width)
    return [torch.from_numpy(data.astype("float32")) for data in (image1, image2, flow, valid)]


def forward(small, large):
    small.eval()
    large.eval()
    image1, image2, flow, _ = frames(0)

    def padded():
        first, second = frames(1, 125, 130)[:2]
        padder = InputPadder(first.shape)
        first, second = padder.pad(first, second)
        with torch.no_grad():
            low, up = small(first, second, iters=2, test_mode=True)
        return padder.unpad(up)

    def warm_start():
        with torch.no_grad():
            low, _ = small(image1, image2, iters=1, test_mode=True)
            start = forward_interpolate(low[0])[None]
            return start, small(image1, image2, iters=1, flow_init=0 * start + 0.5, test_mode=True)[1]

    return {
        "small": small(image1, image2, iters=2),
        "large": large(image1, image2, iters=2),
        "padded": padded,
        "warm_start": warm_start,
    }


def train(small, large):
    """The steps of train.train, which itself wants a GPU."""
    results = {"parameters": count_parameters(small)}
    for name, model in (("small", small), ("large", large)):
        args = model.args
        model.train()
        if name == "large":
            model.freeze_bn()
        optimizer, scheduler = fetch_optimizer(args, model)
        scaler = GradScaler(enabled=args.mixed_precision)
        logger = Logger(model, scheduler)
        losses, rates = [], []
        for step in range(3):
            optimizer.zero_grad()
            image1, image2, flow, valid = frames(step)
            flow_predictions = model(image1, image2, iters=args.iters)
            loss, metrics = sequence_loss(flow_predictions, flow, valid, args.gamma)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            scaler.step(optimizer)
            scheduler.step()
            scaler.update()
            logger.push(metrics)
            losses.append(loss.item())
            rates.append(scheduler.get_last_lr()[0])
        results[name] = losses
        results[name + "_rates"] = rates
        results[name + "_epe"] = logger.running_loss["epe"]
        results[name + "_weight"] = model.update_block.flow_head.conv2.weight
    results["limit"] = raft_train.MAX_FLOW
    return results
