import csv
import os
import shutil
import sys

import numpy as np
import torch
from PIL import Image

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import src.paws_train as program  # noqa: E402
import src.resnet as resnet  # noqa: E402
import src.wide_resnet as wide_resnet  # noqa: E402
from src.data_manager import ClassStratifiedSampler, make_multicrop_transform, make_transforms  # noqa: E402
from src.losses import init_paws_loss, init_simclr_loss, init_suncet_loss, make_labels_matrix  # noqa: E402

CLASSES, PER_CLASS, BATCH, SIZE, SMALL = 3, 2, 4, 16, 8


def wide_resnet10w2(**kwargs):
    return wide_resnet.WideResNet(10, 2, **kwargs)


wide_resnet.wide_resnet10w2 = wide_resnet10w2


def build():
    encoder = program.init_model(torch.device("cpu"), "wide_resnet10w2", use_pred=True, output_dim=16)
    return encoder, resnet.ResNet(resnet.Bottleneck, [1, 1, 1, 1])


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def joined(outputs):
    return torch.cat([one.reshape(-1) for one in outputs])


class Labels:
    """What the sampler asks of a data set: the places of each class."""

    def __init__(self):
        labels = np.random.RandomState(3).randint(0, 4, 40)
        self.target_indices = [[int(i) for i in np.where(labels == one)[0]] for one in range(4)]
        self.classes = list(range(4))


def sampled():
    sampler = ClassStratifiedSampler(Labels(), 1, 0, batch_size=2, classes_per_batch=2, seed=0)
    sampler.set_epoch(1)
    batches = [list(batch) for batch in sampler]
    return [len(batches), len(sampler), *sorted({len(batch) for batch in batches})]


def augmented():
    picture = Image.fromarray(np.random.RandomState(1).randint(0, 256, (32, 32, 3)).astype("uint8"))
    large, _ = make_transforms("cifar10", normalize=True)
    count, small = make_multicrop_transform("cifar10", 2, 18, (0.3, 0.75), True, 0.5)
    return [list(large(picture).shape), list(small(picture).shape), [count, 0, 0]]


def paws():
    loss = init_paws_loss(multicrop=2, tau=0.1, T=0.25, me_max=True)
    labels = make_labels_matrix(CLASSES, PER_CLASS, 1, torch.device("cpu"), smoothing=0.1)
    return joined(loss(numbers(1, 16, 6), numbers(2, 6, 6), labels, numbers(3, 8, 6), numbers(4, 6, 6), labels))


def supervised():
    labels = make_labels_matrix(CLASSES, PER_CLASS, 1, torch.device("cpu"), unique_classes=True, smoothing=0.2)
    loss = init_suncet_loss(CLASSES, PER_CLASS, 1, 0, 0.1, torch.device("cpu"))
    return joined([labels, loss(numbers(5, 6, 8), labels)])


def forward(encoder, net):
    encoder.eval()
    net.eval()
    views = [numbers(0, 2, 3, SIZE, SIZE), numbers(1, 2, 3, SIZE, SIZE), numbers(2, 2, 3, SMALL, SMALL)]
    return {
        "encoded": lambda: joined(encoder(views, return_before_head=True)),
        "resnet": lambda: net(numbers(3, 2, 3, 32, 32)),
        "labels": lambda: make_labels_matrix(CLASSES, PER_CLASS, 2, torch.device("cpu"), unique_classes=True, smoothing=0.1),
        "paws": paws,
        "suncet": supervised,
        "simclr": lambda: init_simclr_loss(3, 1, 0, 0.5, torch.device("cpu"))(numbers(6, 6, 8)),
        "sampled": sampled,
        "augmented": augmented,
    }


class Loader(list):
    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        return Batches(self)


class Batches:
    """A loader's iterator, which tells its length."""

    def __init__(self, loader):
        self.left, self.length = list(loader[:]), len(loader)

    def __len__(self):
        return self.length

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        return self.left.pop(0)


def loaders(**kwargs):
    unsupervised = [
        [numbers(10 + i, BATCH, 3, SIZE, SIZE), numbers(20 + i, BATCH, 3, SIZE, SIZE)]
        + [numbers(30 + 2 * i + k, BATCH, 3, SMALL, SMALL) for k in range(2)]
        + [torch.zeros(BATCH)]
        for i in range(2)
    ]
    supports = [[numbers(40 + i, CLASSES * PER_CLASS, 3, SIZE, SIZE), torch.zeros(6)] for i in range(2)]
    return Loader(unsupervised), Loader(), Loader(supports), Loader()


def options(folder, epochs, load=False):
    return {
        "meta": dict(
            model_name="wide_resnet10w2", output_dim=16, load_checkpoint=load, read_checkpoint=None, copy_data=False,
            use_fp16=False, use_pred_head=True, device="cpu",
        ),
        "criterion": dict(
            me_max=True, supervised_views=1, classes_per_batch=CLASSES, supervised_imgs_per_class=PER_CLASS,
            unsupervised_batch_size=BATCH, temperature=0.1, sharpen=0.25,
        ),
        "data": dict(
            unlabeled_frac=0.9, color_jitter_strength=0.5, normalize=True, root_path=folder, image_folder="none",
            dataset="cifar10", subset_path=None, unique_classes_per_rank=False, multicrop=2, label_smoothing=0.1,
            data_seed=0,
        ),
        "optimization": dict(
            weight_decay=1e-4, epochs=epochs, warmup=1, start_lr=0.02, lr=0.1, final_lr=0.001, momentum=0.9,
            nesterov=True,
        ),
        "logging": dict(folder=folder, write_tag="small"),
    }  # fmt: skip


def train(encoder, net):
    folder = "logs"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    program.log_freq = 1
    made, program.init_data = program.init_model, loaders
    program.init_model = lambda **kwargs: encoder
    program.iter_supervised = None
    program.main(options(folder, 2))
    first = encoder.layer3[0].conv2.weight.detach().clone()
    program.init_model = made
    program.main(options(folder, 3, load=True))
    with open(os.path.join(folder, "small_r0.csv")) as file:
        rows = [row for row in csv.DictReader(file) if row["epoch"] != "epoch"]
    saved = torch.load(os.path.join(folder, "small-latest.pth.tar"))
    return {
        "losses": [[float(row["paws-xent-loss"]), float(row["paws-me_max-reg"])] for row in rows],
        "epoch": saved["epoch"],
        "encoder": first,
        "head": saved["encoder"]["pred.fc2.weight"],
        "norm": saved["encoder"]["layer1.0.bn1.running_mean"],
        "rates": [group["lr"] for group in saved["opt"]["param_groups"]],
        "decays": [group["weight_decay"] for group in saved["opt"]["param_groups"]],
    }


def init():
    torch.manual_seed(0)
    encoder, net = build()
    return {"wide": encoder.layer2[0].conv1.weight, "resnet": net.layer1[0].conv2.weight, "fc": encoder.fc.fc1.weight}
