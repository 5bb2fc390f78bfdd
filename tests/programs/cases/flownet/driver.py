import argparse
import os
import random
import tempfile

import numpy as np
import torch
import torchvision.transforms as transforms
from torch.utils.tensorboard import SummaryWriter

import datasets.listdataset
import flow_transforms
import main
import models
from datasets.flyingchairs import flying_chairs
from multiscaleloss import EPE, multiscaleEPE, realEPE, sparse_max_pool
from util import AverageMeter, flow2rgb

args = main.parser.parse_args(["nowhere", "--epochs", "2", "-b", "2", "--print-freq", "1", "--lr", "0.001"])
main.args = args


def imread(path):
    return np.load(path)


datasets.listdataset.imread = imread


def build():
    return models.flownets(), models.flownets_bn()


def init():
    torch.manual_seed(1)
    model = models.flownets_bn()
    return {
        "conv": model.conv3[0].weight,
        "deconv": model.deconv4[0].weight,
        "predict": model.predict_flow4.weight,
        "upsampled": model.upsampled_flow5_to_4.weight,
    }


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def write_data(folder, height, width):
    for number in range(4):
        rng = np.random.RandomState(number)
        for image in ("img1", "img2"):
            name = os.path.join(folder, "%d_%s.ppm" % (number, image))
            with open(name, "wb") as file:
                np.save(file, rng.randint(0, 256, (height, width, 3)).astype("uint8"))
        with open(os.path.join(folder, "%d_flow.flo" % number), "wb") as file:
            np.array([202021.25], np.float32).tofile(file)
            np.array([width, height], np.int32).tofile(file)
            rng.randn(height * width * 2).astype(np.float32).tofile(file)


def loaders(folder, crop):
    """The data code of main.main with smaller crops."""
    input_transform = transforms.Compose(
        [
            flow_transforms.ArrayToTensor(),
            transforms.Normalize(mean=[0, 0, 0], std=[255, 255, 255]),
            transforms.Normalize(mean=[0.45, 0.432, 0.411], std=[1, 1, 1]),
        ]
    )
    target_transform = transforms.Compose(
        [
            flow_transforms.ArrayToTensor(),
            transforms.Normalize(mean=[0, 0], std=[args.div_flow, args.div_flow]),
        ]
    )
    co_transform = flow_transforms.Compose(
        [
            flow_transforms.RandomTranslate(4),
            flow_transforms.RandomRotate(10, 5),
            flow_transforms.RandomCrop(crop),
            flow_transforms.RandomVerticalFlip(),
            flow_transforms.RandomHorizontalFlip(),
        ]
    )
    write_data(folder, 76, 76)
    split = os.path.join(folder, "split.txt")
    with open(split, "w") as file:
        file.write("1\n1\n1\n0\n")
    train_set, test_set = flying_chairs(
        folder,
        transform=input_transform,
        target_transform=target_transform,
        co_transform=co_transform,
        split=split,
    )
    return (
        torch.utils.data.DataLoader(train_set, batch_size=args.batch_size, num_workers=0, pin_memory=False),
        torch.utils.data.DataLoader(test_set, batch_size=args.batch_size, num_workers=0, shuffle=False),
    )


def loaded():
    random.seed(2)
    with tempfile.TemporaryDirectory() as folder:
        batches = list(loaders(folder, (64, 64))[0])
    return torch.cat([torch.cat([torch.cat(input, 1), target], 1) for input, target in batches])


def forward(net, normed):
    net.eval()
    normed.eval()
    pair, flow = numbers(0, 1, 6, 64, 64), numbers(1, 2, 2, 16, 16)
    sparse = flow * (numbers(2, 2, 1, 16, 16) > 0)
    outputs = [numbers(3 + size, 2, 2, size, size) for size in (8, 4, 2, 2, 1)]
    return {
        "flownets": lambda: net(pair),
        "odd": lambda: net(numbers(9, 1, 6, 68, 64)),
        "flownets_bn": lambda: normed(pair),
        "epe": lambda: EPE(numbers(7, 2, 2, 16, 16), sparse, sparse=True),
        "real": lambda: realEPE(numbers(8, 2, 2, 4, 4), flow),
        "multiscale": lambda: multiscaleEPE(outputs, flow),
        "multiscale_sparse": lambda: multiscaleEPE(outputs, sparse, sparse=True),
        "pooled": lambda: sparse_max_pool(sparse, (4, 4)),
        "rgb": lambda: flow2rgb(5 * flow[0], max_value=10),
        "loaded": lambda: loaded(),
    }


def train(model, _):
    random.seed(4)
    meter = AverageMeter()
    param_groups = [
        {"params": model.bias_parameters(), "weight_decay": args.bias_decay},
        {"params": model.weight_parameters(), "weight_decay": args.weight_decay},
    ]
    optimizer = torch.optim.Adam(param_groups, args.lr, betas=(args.momentum, args.beta))
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 150, 200], gamma=0.5)
    losses = []
    writer = SummaryWriter("train")
    with tempfile.TemporaryDirectory() as folder:
        train_loader, val_loader = loaders(folder, (64, 64))
        for epoch in range(args.start_epoch, args.epochs):
            loss, epe = main.train(train_loader, model, optimizer, epoch, writer)
            scheduler.step()
            with torch.no_grad():
                losses.append([loss, epe, main.validate(val_loader, model, epoch, [writer])])
            meter.update(loss)
    return {
        "losses": np.array(losses),
        "average": meter.avg,
        "rate": optimizer.param_groups[1]["lr"],
        "conv": model.conv1[0].weight,
        "bias": model.conv3_1[0].bias,
        "predict": model.predict_flow2.weight,
    }
