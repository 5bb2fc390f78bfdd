import os
import tempfile

import numpy as np
import torch
import torch.nn as nn

import bbox
import util
from darknet import Darknet, MaxPoolStride1, ReOrgLayer, Upsample, parse_cfg, test_net

CONVOLUTION = """
[convolutional]
batch_normalize=1
filters={}
size={}
stride={}
pad=1
activation=leaky
"""
HEAD = """
[convolutional]
size=1
stride=1
pad=1
filters=27
activation=linear

[yolo]
mask = {}
anchors = 10,14,  23,27,  37,58,  81,82,  35,69,  44,19
classes=4
num=6
"""
# The layers of cfg/yolov3.cfg, a few of each.
CFG = (
    "[net]\n# small\nbatch=1\nwidth=64\nheight=64\nchannels=3\n"
    + CONVOLUTION.format(8, 3, 1)
    + CONVOLUTION.format(16, 3, 2)
    + CONVOLUTION.format(8, 1, 1)
    + CONVOLUTION.format(16, 3, 1)
    + "\n[shortcut]\nfrom=-3\nactivation=linear\n"
    + "\n[maxpool]\nsize=2\nstride=2\n"
    + CONVOLUTION.format(16, 3, 2)
    + "\n[maxpool]\nsize=2\nstride=1\n"
    + CONVOLUTION.format(24, 3, 2)
    + HEAD.format("3,4,5")
    + "\n[route]\nlayers = -3\n"
    + CONVOLUTION.format(16, 1, 1)
    + "\n[upsample]\nstride=2\n"
    + "\n[route]\nlayers = -1, 6\n"
    + HEAD.format("0,1,2")
)


def make():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "small.cfg")
        with open(path, "w") as file:
            file.write(CFG)
        return Darknet(path)


def build():
    return make(), test_net(2, 12)


def images(seed, size=2):
    return torch.from_numpy(np.random.RandomState(seed).rand(size, 3, 64, 64).astype("float32"))


def boxes():
    """What a trained net says: some sure boxes, some of which overlap."""
    rng = np.random.RandomState(4)
    found = rng.uniform(10, 50, (2, 24, 9)).astype("float32")
    found[:, :, 2:4] = rng.uniform(8, 30, (2, 24, 2))
    found[:, :, 4:] = rng.rand(2, 24, 5)
    return torch.from_numpy(found)


def file_of_weights(net):
    """Loads a file as Darknet writes it, and writes it back."""
    other = make()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "some.weights")
        numbers = util.count_learnable_parameters(other) + sum(
            2 * m.num_features for m in other.modules() if isinstance(m, nn.BatchNorm2d)
        )
        with open(path, "wb") as file:
            np.array([0, 2, 0, 7, 0], dtype=np.int32).tofile(file)
            (np.random.RandomState(5).rand(numbers) * 0.2 + 0.01).astype(np.float32).tofile(file)
        other.load_weights(path)
        other.eval()
        with torch.no_grad():
            found = other(images(2), False)
        other.save_weights(path)
        with open(path, "rb") as file:
            written = np.frombuffer(file.read(), np.float32, offset=20)
    return [int(other.seen), found, torch.from_numpy(written[:200].copy())]


def forward(net, small):
    net.eval()
    x = images(0)
    features = torch.from_numpy(np.random.RandomState(6).randn(1, 4, 6, 6).astype("float32"))
    with torch.no_grad():
        detections = net(x, False)
    return {
        "detections": detections,
        "small": small(features[0, 0, :2]),
        "results": lambda: util.write_results(boxes(), 0.5, 4, nms=True, nms_conf=0.2),
        "all": lambda: util.write_results(boxes(), 0.5, 4, nms=False),
        "corners": lambda: bbox.pred_corner_coord(bbox.confidence_filter(boxes(), 0.5)),
        "iou": lambda: bbox.bbox_iou(boxes()[0, :1], boxes()[0, 1:]),
        "upsample": lambda: Upsample(2)(features),
        "reorg": lambda: ReOrgLayer(2)(features),
        "maxpool": lambda: MaxPoolStride1(2)(features),
        "weights": lambda: file_of_weights(net),
    }


def train(net, small):
    """The repository only detects; its layers, which do learn, are fine-tuned up to the first head."""
    net.train()
    layers = net.get_module_list()
    blocks = net.get_blocks()[1:]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4)
    losses = []
    for step in range(4):
        x, outputs = images(step, 4), []
        for i in range(10):
            if blocks[i]["type"] == "shortcut":
                x = outputs[i - 1] + outputs[i + int(blocks[i]["from"])]
            else:
                x = layers[i](x)
            outputs.append(x)
        target = torch.from_numpy(np.random.RandomState(20 + step).randn(*x.size()).astype("float32"))
        loss = nn.MSELoss(reduction="sum")(x, target) / x.size(0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {"losses": losses, "weight": layers[0][0].weight, "mean": layers[0][1].running_mean}
