from argparse import Namespace

import numpy as np
import torch
from efficientnet_pytorch import EfficientNet
from efficientnet_pytorch.utils import MaxPool2dDynamicSamePadding, MaxPool2dStaticSamePadding
from examples.imagenet import main as imagenet

CLASSES, SIZE, BATCH = 10, 64, 6
ARGS = Namespace(gpu=None, print_freq=1, lr=0.01, momentum=0.9, weight_decay=1e-4)


def build():
    """efficientnet-b0, narrow and shallow, without the randomness of its dropouts."""
    return EfficientNet.from_name(
        "efficientnet-b0",
        image_size=SIZE,
        width_coefficient=0.3,
        depth_coefficient=0.4,
        num_classes=CLASSES,
        dropout_rate=0.0,
        drop_connect_rate=0.0,
    )


def batch(seed):
    random = np.random.RandomState(seed)
    images = torch.from_numpy(random.randn(BATCH, 3, SIZE, SIZE).astype("float32"))
    return images, torch.from_numpy(random.randint(0, CLASSES, BATCH))


def pooled(layer):
    return layer(torch.from_numpy(np.random.RandomState(9).randn(2, 3, 13, 13).astype("float32")))


def dynamic(net):
    """Without a size of image the padding is computed in each pass."""
    copy = EfficientNet.from_name(
        "efficientnet-b0", image_size=None, width_coefficient=0.3, depth_coefficient=0.4, num_classes=CLASSES
    )
    copy.load_state_dict(net.state_dict())
    copy.eval()
    return copy(batch(1)[0][:, :, :50, :58])


def forward(net):
    net.eval()
    images, target = batch(0)
    endpoints = net.extract_endpoints(images)
    logits = net(images)
    return {
        "logits": logits,
        "endpoints": [endpoints[name] for name in sorted(endpoints)],
        "accuracy": lambda: imagenet.accuracy(logits, target, topk=(1, 5)),
        "dynamic": lambda: dynamic(net),
        "pool_static": lambda: pooled(MaxPool2dStaticSamePadding(3, 2, image_size=13)),
        "pool_dynamic": lambda: pooled(MaxPool2dDynamicSamePadding(3, 2)),
    }


class Losses(torch.nn.CrossEntropyLoss):
    """The criterion of the example, which keeps what it gave."""

    def __init__(self):
        super().__init__()
        self.kept = []

    def forward(self, output, target):
        loss = super().forward(output, target)
        self.kept.append(loss.item())
        return loss


def train(net):
    net.set_swish(memory_efficient=True)
    criterion = Losses()
    optimizer = torch.optim.SGD(net.parameters(), ARGS.lr, momentum=ARGS.momentum, weight_decay=ARGS.weight_decay)
    top1 = []
    for epoch in range(2):
        imagenet.adjust_learning_rate(optimizer, epoch, ARGS)
        imagenet.train([batch(2 * epoch + 1), batch(2 * epoch + 2)], net, criterion, optimizer, epoch, ARGS)
        top1.append(imagenet.validate([batch(9)], net, criterion, ARGS))
    imagenet.save_checkpoint({"state_dict": net.state_dict(), "optimizer": optimizer.state_dict()}, False)
    kept = torch.load("checkpoint.pth.tar")
    return {
        "losses": criterion.kept,
        "top1": top1,
        "stem": net._conv_stem.weight,
        "block": net._blocks[2]._project_conv.weight,
        "mean": net._blocks[1]._bn1.running_mean,
        "fc": kept["state_dict"]["_fc.weight"],
    }
