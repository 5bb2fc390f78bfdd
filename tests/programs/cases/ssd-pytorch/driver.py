import os
import shutil
import sys

import numpy as np
import torch
import torch.optim as optim
from torch.autograd import Variable

# The annotations of COCO are read when it is imported.
coco = os.path.join(os.path.expanduser("~"), "data", "coco")
os.makedirs(coco, exist_ok=True)
shutil.copy(os.path.join("data", "coco_labels.txt"), coco)
arguments, sys.argv = sys.argv, ["train.py", "--cuda", "False"]
import train as training

sys.argv = arguments

from data import detection_collate, voc
from layers import Detect, PriorBox
from layers.box_utils import decode, jaccard, nms, point_form
from layers.modules import MultiBoxLoss
from ssd import SSD, add_extras, extras, mbox, multibox, vgg

CLASSES = 21
# VGG16 in small: L2Norm and conv6 have their widths in the code.
base = [8, 8, "M", 16, 16, "M", 16, 16, 16, "C", 16, 16, 512, "M", 16, 16, 512]


def build():
    layers = multibox(vgg(base, 3), add_extras(extras["300"], 1024), mbox["300"], CLASSES)
    net = SSD("train", 300, *layers, CLASSES)
    net.extras.apply(training.weights_init)
    net.loc.apply(training.weights_init)
    net.conf.apply(training.weights_init)
    return net


def init():
    torch.manual_seed(1)
    layers = multibox(vgg(base, 3), add_extras(extras["300"], 1024), mbox["300"], CLASSES)
    net = SSD("train", 300, *layers, CLASSES)
    net.extras.apply(training.weights_init)
    return {"extras": net.extras[0].weight, "conv6": net.vgg[31].weight, "norm": net.L2Norm.weight}


def batch(seed):
    rng = np.random.RandomState(seed)
    samples = []
    for objects in (2, 3):
        corner = rng.uniform(0.05, 0.4, (objects, 2))
        boxes = np.concatenate([corner, corner + rng.uniform(0.2, 0.5, (objects, 2))], 1)
        labels = rng.randint(0, CLASSES - 1, (objects, 1))
        image = torch.from_numpy(rng.randn(3, 300, 300).astype("float32"))
        samples.append((image, np.hstack((boxes, labels))))
    return detection_collate(samples)


def detections(net):
    images, _ = batch(3)
    net.phase = "test"
    net.softmax = torch.nn.Softmax(dim=-1)
    net.detect = Detect(CLASSES, 0, 20, 0.05, 0.45)
    with torch.no_grad():
        found = net(images)
    net.phase = "train"
    return found


def forward(net):
    net.eval()
    images, targets = batch(0)
    loc, conf, priors = net(images)
    boxes = targets[1][:, :4]
    return {
        "loc": loc,
        "conf": conf,
        "priors": priors,
        "overlap": lambda: jaccard(boxes, point_form(PriorBox(voc).forward())[:500]),
        "decoded": lambda: decode(loc[0].detach(), priors, [0.1, 0.2]),
        "kept": lambda: nms(boxes, torch.tensor([0.3, 0.9, 0.5]), 0.3)[0],
        "detections": lambda: detections(net),
    }


def train(net):
    """The steps of train.train, which itself reads a dataset."""
    args = training.args
    optimizer = optim.SGD(
        net.parameters(), lr=args.lr, momentum=args.momentum, weight_decay=args.weight_decay
    )
    criterion = MultiBoxLoss(CLASSES, 0.5, True, 0, True, 3, 0.5, False, args.cuda)
    net.train()
    loc_loss, conf_loss = [], []
    for iteration in range(3):
        if iteration == 2:
            training.adjust_learning_rate(optimizer, args.gamma, 1)
        images, targets = batch(iteration)
        images = Variable(images)
        targets = [Variable(ann) for ann in targets]
        out = net(images)
        optimizer.zero_grad()
        loss_l, loss_c = criterion(out, targets)
        loss = loss_l + loss_c
        loss.backward()
        optimizer.step()
        loc_loss.append(loss_l.data.item())
        conf_loss.append(loss_c.data.item())
    return {
        "loc_loss": loc_loss,
        "conf_loss": conf_loss,
        "conv1": net.vgg[0].weight,
        "norm": net.L2Norm.weight,
        "conf": net.conf[1].bias,
    }
