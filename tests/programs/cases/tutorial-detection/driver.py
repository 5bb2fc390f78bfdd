import json
import os
import random

import numpy as np
import torch
import train as script
import utils
from datasets import PascalVOCDataset
from model import SSD300, MultiBoxLoss
from PIL import Image

CLASSES = len(utils.label_map)


def build():
    return SSD300(n_classes=CLASSES)


def images(seed, number=1):
    return torch.from_numpy(np.random.RandomState(seed).randn(number, 3, 300, 300).astype("float32"))


def made_up():
    """Pictures with objects, in the lists that the repository makes of Pascal VOC."""
    rng = np.random.RandomState(0)
    os.makedirs("pictures", exist_ok=True)
    for split, count in (("TRAIN", 4), ("TEST", 2)):
        paths, objects = [], []
        for number in range(count):
            picture = np.kron(rng.randint(0, 255, (6, 8, 3)), np.ones((20, 20, 1))).astype("uint8")
            paths.append(f"pictures/{split}{number}.png")
            Image.fromarray(picture).save(paths[-1])
            corners = rng.randint(5, 50, (1 + number % 2, 2))
            boxes = [[int(x), int(y), int(x) + 60, int(y) + 50] for x, y in corners]
            labels = [int(one) for one in rng.randint(1, CLASSES - 1, len(boxes))]
            objects.append({"boxes": boxes, "labels": labels, "difficulties": [0] * len(boxes)})
        for kind, values in (("images", paths), ("objects", objects)):
            with open(f"{split}_{kind}.json", "w") as file:
                json.dump(values, file)


def loader_of(split):
    dataset = PascalVOCDataset("./", split=split, keep_difficult=True)
    return torch.utils.data.DataLoader(
        dataset, batch_size=2, shuffle=False, collate_fn=dataset.collate_fn, num_workers=0, pin_memory=False
    )


def boxes(seed, number):
    found = np.random.RandomState(seed).rand(number, 4).astype("float32") * 0.5
    found[:, 2:] += found[:, :2] + 0.05
    return torch.from_numpy(found)


def geometry():
    one, other = boxes(1, 5), boxes(2, 3)
    centres = utils.xy_to_cxcy(one)
    priors = utils.xy_to_cxcy(boxes(3, 5))
    coded = utils.cxcy_to_gcxgcy(centres, priors)
    scores = torch.from_numpy(np.random.RandomState(4).randn(6, 8).astype("float32"))
    return [
        utils.find_jaccard_overlap(one, other),
        utils.cxcy_to_xy(centres),
        coded,
        utils.gcxgcy_to_cxcy(coded, priors),
        utils.decimate(torch.arange(48.0).view(4, 12), [2, 3]),
        np.array(utils.accuracy(scores, torch.tensor([0, 1, 2, 3, 4, 5]), 3)),
    ]


def precision():
    labels = [torch.tensor([1, 2, 1]), torch.tensor([2])]
    scores = [torch.tensor([0.9, 0.8, 0.3]), torch.tensor([0.7])]
    found = [boxes(5, 3), boxes(6, 1)]
    truth = [boxes(5, 3)[:2], boxes(6, 1)]
    difficult = [torch.tensor([0, 0], dtype=torch.uint8), torch.tensor([0], dtype=torch.uint8)]
    classes, mean = utils.calculate_mAP(
        found, labels, scores, truth, [torch.tensor([1, 2]), torch.tensor([2])], difficult
    )
    return np.array([mean, *[classes[name] for name in sorted(classes)]])


def distorted():
    picture = Image.fromarray(np.random.RandomState(7).randint(0, 255, (20, 30, 3)).astype("uint8"))
    found = []
    for seed in range(6):
        random.seed(seed)
        found.append(np.asarray(utils.photometric_distort(picture)).astype("float32") / 64)
    return found


def augmented():
    made_up()
    dataset, found = PascalVOCDataset("./", split="train", keep_difficult=True), []
    for seed in range(6):
        random.seed(seed)
        image, boxes_, labels, _ = dataset[seed % len(dataset)]
        found += [image[:, ::30, ::30], boxes_, labels.float()]
    return found


def forward(net):
    net.eval()

    def detected():
        with torch.no_grad():
            locs, scores = net(images(1))
            found = net.detect_objects(locs, scores * 4, min_score=0.06, max_overlap=0.45, top_k=5)
        return [found[0][0], found[2][0]]

    return {
        "net": lambda: list(net(images(2))),
        "priors": lambda: net.priors_cxcy[::50],
        "detected": detected,
        "geometry": geometry,
        "precision": precision,
        "distorted": distorted,
        "augmented": augmented,
    }


def train(net):
    made_up()
    biases = [param for name, param in net.named_parameters() if name.endswith(".bias")]
    others = [param for name, param in net.named_parameters() if not name.endswith(".bias")]
    optimizer = torch.optim.SGD(
        params=[{"params": biases, "lr": 2e-4}, {"params": others}], lr=1e-4, momentum=0.9, weight_decay=5e-4
    )
    criterion = MultiBoxLoss(priors_cxcy=net.priors_cxcy)
    losses = []

    class Watched(torch.nn.Module):
        def forward(self, *given):
            loss = criterion(*given)
            losses.append(loss.item())
            return loss

    script.print_freq = 1
    for epoch, clip in enumerate((None, 0.5)):
        random.seed(epoch)
        script.grad_clip = clip
        script.train(
            train_loader=loader_of("train"), model=net, criterion=Watched(), optimizer=optimizer, epoch=epoch
        )
        utils.adjust_learning_rate(optimizer, 0.5)
    utils.save_checkpoint(1, net, optimizer)
    kept = torch.load("checkpoint_ssd300.pth.tar", weights_only=False)
    rates = [group["lr"] for group in kept["optimizer"].param_groups]
    return {
        "losses": lambda: np.array(losses),
        "rates": lambda: np.array([kept["epoch"], *rates]),
        "kept": lambda: kept["model"].aux_convs.conv8_1.weight,
        "weight": lambda: net.pred_convs.cl_conv7.weight,
        "rescaled": lambda: net.rescale_factors,
    }


def init():
    net = build()
    return {
        "aux": net.aux_convs.conv9_2.weight,
        "scores": net.pred_convs.cl_conv4_3.weight,
        "base": net.base.conv1_2.weight,
        "rescale": net.rescale_factors,
    }
