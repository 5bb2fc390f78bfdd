import os
from argparse import Namespace

import numpy as np
import torch
from evaluation import get_accuracy, get_DC, get_F1, get_JS, get_sensitivity, get_specificity
from network import Attention_block, AttU_Net, R2AttU_Net, RRCNN_block, init_weights
from solver import Solver

SIZE = 32


def build():
    """The nets have no width that could be set, so the recurrent one is only built."""
    return AttU_Net(img_ch=3, output_ch=1), RRCNN_block(4, 6, t=2), Attention_block(6, 6, 3)


def batch(seed, count=4):
    random = np.random.RandomState(seed)
    images = torch.from_numpy(random.randn(count, 3, SIZE, SIZE).astype("float32"))
    return images, torch.from_numpy((random.rand(count, 1, SIZE, SIZE) > 0.6).astype("float32"))


def drawn(kind):
    torch.manual_seed(1)
    block = RRCNN_block(16, 32)
    init_weights(block, kind, gain=0.5)
    return round(float(block.RCNN[0].conv[0].weight.std()), 1), float(block.Conv_1x1.bias.abs().sum())


def forward(net, block, attention):
    net.eval()
    block.eval()
    attention.eval()
    images, masks = batch(0, 2)
    random = np.random.RandomState(3)
    gate, skip = (torch.from_numpy(random.randn(2, 6, 8, 8).astype("float32")) for _ in range(2))
    outputs = net(images)
    measures = (get_accuracy, get_sensitivity, get_specificity, get_F1, get_JS, get_DC)
    return {
        "outputs": outputs,
        "recurrent": lambda: block(gate[:, :4]),
        "attention": lambda: attention(g=gate, x=skip),
        "measures": lambda: [measure(outputs, masks) for measure in measures],
        "deep": lambda: len(list(R2AttU_Net(t=2).parameters())),
        "drawn": lambda: [drawn(kind) for kind in ("normal", "xavier", "kaiming", "orthogonal")],
    }


def train(net, block, attention):
    os.makedirs("models", exist_ok=True)
    os.makedirs("result", exist_ok=True)
    config = Namespace(
        img_ch=3,
        output_ch=1,
        augmentation_prob=0.0,
        lr=0.0002,
        beta1=0.5,
        beta2=0.999,
        num_epochs=2,
        num_epochs_decay=1,
        batch_size=4,
        log_step=1,
        val_step=1,
        model_path="models",
        result_path="result",
        mode="train",
        model_type="AttU_Net",
        t=2,
    )
    solver = Solver(config, [batch(1), batch(2)], [batch(3)], [batch(3)])
    solver.unet.load_state_dict(net.state_dict())
    solver.train()
    with open("result/result.csv") as lines:
        row = lines.read().strip().split(",")
    return {
        "row": [float(value) for value in row[1:]],
        "first": solver.unet.Conv1.conv[0].weight,
        "gate": solver.unet.Att3.psi[0].weight,
        "mean": solver.unet.Up_conv2.conv[1].running_mean,
        "last": solver.unet.Conv_1x1.weight,
    }
