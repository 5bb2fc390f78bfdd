import contextlib
import io
import os
import sys
import tempfile

import numpy as np
import torch
from data.utils import median_freq_balancing, remap
from metric import ConfusionMatrix, IoU
from models.enet import ENet
from PIL import Image
from transforms import LongTensorToRGBPIL, PILToLongTensor

from data import CamVid

CLASSES, SIZE = 12, 64
ENCODING = CamVid.color_encoding.copy()


def made_up():
    """A folder like CamVid's."""
    folder = tempfile.mkdtemp()
    rng = np.random.RandomState(0)
    for mode, count in (("train", 4), ("val", 2), ("test", 2)):
        for name in (mode, mode + "annot"):
            os.makedirs(os.path.join(folder, name))
        for number in range(count):
            rough = rng.randint(0, CLASSES, (8, 10)).astype("uint8")
            label = np.kron(rough, np.ones((8, 8), "uint8"))
            picture = np.stack([label * 20, 255 - label * 15, rng.randint(0, 255, label.shape)], 2).astype(
                "uint8"
            )
            Image.fromarray(picture).save(os.path.join(folder, mode, f"{number}.png"))
            Image.fromarray(label).save(os.path.join(folder, mode + "annot", f"{number}.png"))
    return folder


def script(*options):
    """The repository's main module, as its command line with these options would make it."""
    folder, save = made_up(), tempfile.mkdtemp()
    arguments, sys.argv = sys.argv, [
        "main.py", "--dataset-dir", folder, "--save-dir", save, "--height", str(SIZE), "--width", str(SIZE), "--device",
        "cpu", "--workers", "0", "--batch-size", "2", "--epochs", "2", "--lr-decay-epochs", "1", *options,
    ]  # fmt: skip
    try:
        sys.modules.pop("main", None)
        import main
    finally:
        sys.argv = arguments
    return main


def build():
    return ENet(CLASSES), ENet(CLASSES, encoder_relu=True, decoder_relu=False)


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, SIZE, SIZE).astype("float32"))


def labels():
    picture = Image.fromarray(np.random.RandomState(3).randint(0, CLASSES, (6, 9)).astype("uint8"))
    tensor = PILToLongTensor()(picture)
    colours = LongTensorToRGBPIL(CamVid.color_encoding)(tensor.clone())
    mapped = remap(picture, (0, 1, 2, 3), (4, 3, 2, 1))
    return [tensor.float(), np.asarray(colours).astype("float32"), np.asarray(mapped).astype("float32")]


def measured():
    rng = np.random.RandomState(4)
    iou, confusion = IoU(5, ignore_index=4), ConfusionMatrix(5, normalized=True)
    for seed in range(2):
        scores = torch.from_numpy(rng.randn(2, 5, 6, 6).astype("float32"))
        target = torch.from_numpy(rng.randint(0, 5, (2, 6, 6)))
        iou.add(scores, target)
        confusion.add(scores.max(1)[1].view(-1), target.view(-1))
    values, mean = iou.value()
    return [values[:4], np.array(mean), confusion.value()]


def forward(plain, other):
    plain.eval()
    other.eval()

    def balanced():
        loader = [
            (None, torch.from_numpy(np.random.RandomState(i).randint(0, 4, (2, 5, 5)))) for i in range(3)
        ]
        return median_freq_balancing(loader, 4)

    return {
        "plain": lambda: plain(images(1)),
        "other": lambda: other(images(2)),
        "labels": labels,
        "measured": measured,
        "balanced": balanced,
    }


def trained(net, *options):
    main = script(*options)
    main.ENet = lambda classes: net
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        loaders, weights, encoding = main.load_dataset(CamVid)
        model = main.train(loaders[0], loaders[1], weights, encoding)
        main.test(model, loaders[2], weights, encoding)
        optimizer = torch.optim.Adam(model.parameters())
        before = model.initial_block.main_branch.weight.detach().clone()
        loaded, optimizer, epoch, miou = main.utils.load_checkpoint(
            model, optimizer, main.args.save_dir, main.args.name
        )
    losses = [
        float(line.split("loss: ")[1].split()[0]) for line in said.getvalue().splitlines() if "loss: " in line
    ]
    rate = optimizer.param_groups[0]["lr"]
    return [
        losses,
        before,
        loaded.initial_block.main_branch.weight,
        np.array([epoch, rate]),
        loaded.transposed_conv.weight,
    ]


def train(plain, other):

    def with_all(net, *options):
        CamVid.color_encoding = ENCODING.copy()
        return trained(net, *options)

    return {
        "plain": lambda: with_all(plain, "--weighing", "enet", "--print-step"),
        "other": lambda: with_all(other, "--weighing", "mfb", "--with-unlabeled"),
    }


def init():
    net = ENet(CLASSES)
    return {
        "first": net.initial_block.main_branch.weight,
        "asymmetric": net.asymmetric2_3.ext_conv2[0].weight,
        "transposed": net.transposed_conv.weight,
        "prelu": net.regular1_1.out_activation.weight,
    }
