import argparse
import glob
import json
import os
import tempfile

import cv2
import numpy as np
import torch

import train as training
from backbone import EfficientDetBackbone
from efficientdet.loss import FocalLoss
from efficientdet.utils import BBoxTransform, ClipBoxes
from efficientnet import model as efficientnet
from efficientnet.utils import MemoryEfficientSwish
from utils.utils import init_weights, postprocess

NAMES = ["person", "bicycle", "car"]

# Connections are dropped at random.
efficientnet.drop_connect = lambda inputs, p, training: inputs


def build():
    net = EfficientDetBackbone(num_classes=len(NAMES), compound_coef=0)
    init_weights(net)
    return (net,)


def init():
    torch.manual_seed(0)
    net = EfficientDetBackbone(num_classes=len(NAMES), compound_coef=0)
    init_weights(net)
    return {
        "stem": net.backbone_net.model._conv_stem.conv.weight,
        "header": net.classifier.header.pointwise_conv.conv.weight,
        "regressor": net.regressor.conv_list[0].depthwise_conv.conv.weight,
    }


def images(seed, count, size=128):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, 3, size, size).astype("float32"))


def annotations():
    rows = [[10, 20, 60, 90, 1], [30, 5, 100, 70, 0]], [[40, 40, 100, 110, 2], [-1, -1, -1, -1, -1]]
    return torch.tensor(rows, dtype=torch.float32)


def forward(model):
    model.eval()
    x = images(0, 2)
    features, regression, classification, anchors = model(x)

    def boxes():
        return ClipBoxes()(BBoxTransform()(anchors, regression * 0.1), x)

    def found():
        out = postprocess(x, torch.stack([anchors[0]] * 2, 0), regression * 0.1, classification, BBoxTransform(),
                          ClipBoxes(), 1.5, 0.3)  # fmt: skip
        return [len(one["rois"]) for one in out]

    return {
        "p3": features[0],
        "p7": features[-1],
        "regression": regression,
        "classification": classification,
        "anchors": anchors,
        "losses": lambda: FocalLoss()(classification, regression, anchors, annotations()),
        "empty": lambda: FocalLoss()(classification, regression, anchors, -torch.ones(2, 1, 5)),
        "boxes": boxes,
        "found": found,
        "swish": lambda: MemoryEfficientSwish()(images(1, 1, 4)),
    }


def write_project(folder):
    """A data set of one picture in COCO's form, and a project file."""
    os.makedirs(os.path.join(folder, "projects"))
    with open(os.path.join(folder, "projects", "made.yml"), "w") as file:
        file.write(
            "project_name: made\ntrain_set: train\nval_set: val\nnum_gpus: 0\n"
            "mean: [0.485, 0.456, 0.406]\nstd: [0.229, 0.224, 0.225]\n"
            "anchors_scales: '[2 ** 0, 2 ** (1.0 / 3.0), 2 ** (2.0 / 3.0)]'\n"
            f"anchors_ratios: '[(1.0, 1.0), (1.4, 0.7), (0.7, 1.4)]'\nobj_list: {NAMES}\n"
        )
    root = os.path.join(folder, "datasets", "made")
    os.makedirs(os.path.join(root, "annotations"))
    for name, seed in (("train", 0), ("val", 1)):
        os.makedirs(os.path.join(root, name))
        picture = np.random.RandomState(seed).randint(0, 256, (96, 128, 3), dtype=np.uint8)
        cv2.imwrite(os.path.join(root, name, "1.png"), picture)
        boxes = [[8, 10, 60, 50], [40, 20, 70, 60]]
        content = {
            "images": [{"id": 1, "file_name": "1.png", "height": 96, "width": 128}],
            "categories": [{"id": i + 1, "name": name} for i, name in enumerate(NAMES)],
            "annotations": [
                {"id": i + 1, "image_id": 1, "category_id": i + 1, "bbox": box, "iscrowd": 0, "area": 3000}
                for i, box in enumerate(boxes)
            ],
        }
        with open(os.path.join(root, "annotations", f"instances_{name}.json"), "w") as file:
            json.dump(content, file)


def train(model):
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        write_project(folder)
        weights = os.path.join(folder, "start_0.pth")
        torch.save(model.state_dict(), weights)
        training.opt = argparse.Namespace(
            project="made", compound_coef=0, num_workers=0, batch_size=1, head_only=False, lr=1e-4, optim="sgd",
            num_epochs=2, val_interval=1, save_interval=2, es_min_delta=0.0, es_patience=0, data_path="datasets/",
            log_path="logs/", load_weights=weights, saved_path="saved/", debug=False,
        )  # fmt: skip
        np.random.seed(0)
        os.chdir(folder)
        try:
            training.train(training.opt)
            saved = glob.glob("saved/made/*_1_2.pth")
            model.load_state_dict(torch.load(saved[0]))
        finally:
            os.chdir(here)
    model.eval()
    _, regression, classification, anchors = model(images(2, 1))
    losses = FocalLoss()(classification, regression, anchors, annotations()[:1])
    return {
        "saved": len(saved),
        "losses": losses,
        "stem": model.backbone_net.model._conv_stem.conv.weight,
        "bifpn": model.bifpn[0].p4_w2,
        "header": model.classifier.header.pointwise_conv.conv.bias,
        "running": model.backbone_net.model._bn0.running_var,
    }
