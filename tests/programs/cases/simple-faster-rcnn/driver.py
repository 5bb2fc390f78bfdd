import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import model.faster_rcnn
import model.faster_rcnn_vgg16
import model.utils.creator_tool
import trainer
from model.faster_rcnn import FasterRCNN
from model.faster_rcnn_vgg16 import VGG16RoIHead
from model.region_proposal_network import RegionProposalNetwork
from utils.config import opt


def nms(boxes, scores, threshold):
    """Stands for torchvision's, which is compiled."""
    kept, order = [], torch.argsort(scores, descending=True).cpu().numpy()
    places = boxes.cpu().numpy()
    while order.size:
        first, order = order[0], order[1:]
        kept.append(first)
        low = np.maximum(places[first, :2], places[order, :2])
        high = np.minimum(places[first, 2:], places[order, 2:])
        inner = np.prod(np.clip(high - low, 0, None), axis=1)
        areas = np.prod(places[order, 2:] - places[order, :2], axis=1)
        order = order[inner / (areas + np.prod(places[first, 2:] - places[first, :2]) - inner) <= threshold]
    return torch.from_numpy(np.array(kept, dtype=np.int64))


class RoIPool(nn.Module):
    """Stands for torchvision's, which is compiled."""

    def __init__(self, size, scale):
        super().__init__()
        self.size, self.scale = size, scale

    def forward(self, x, rois):
        pooled = []
        for roi in rois:
            image = int(roi[0].item())
            left, top, right, bottom = [int(round(place.item() * self.scale)) for place in roi[1:]]
            height, width = x.shape[2:]
            top, left = min(top, height - 1), min(left, width - 1)
            part = x[image : image + 1, :, top : max(bottom, top) + 1, left : max(right, left) + 1]
            pooled.append(F.adaptive_max_pool2d(part, self.size))
        return torch.cat(pooled)


class Meter:
    """Stands for torchnet's."""

    def __init__(self, *sizes):
        self.values = []

    def add(self, *values):
        self.values.append(values)

    def reset(self):
        self.values = []

    def value(self):
        return (float(np.mean([one[0] for one in self.values])), 0.0)


model.utils.creator_tool.nms = nms
model.faster_rcnn.nms = nms
model.faster_rcnn_vgg16.RoIPool = RoIPool
trainer.ConfusionMeter = Meter
trainer.AverageValueMeter = Meter
opt.lr = 0.01
SIZE = 96
BOXES = torch.from_numpy(np.array([[[8, 12, 56, 70], [30, 40, 90, 88]]], dtype="float32"))
LABELS = torch.from_numpy(np.array([[1, 3]], dtype="int32"))


def build():
    extractor = nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=4, padding=1), nn.ReLU(inplace=True), nn.Conv2d(8, 12, 3, stride=4, padding=1), nn.ReLU()
    )  # fmt: skip
    for parameter in extractor[0].parameters():
        parameter.requires_grad = False
    proposals = RegionProposalNetwork(
        12, 16, anchor_scales=[1, 2, 4], feat_stride=16, proposal_creator_params={"n_train_pre_nms": 60, "n_train_post_nms": 12}
    )  # fmt: skip
    classifier = nn.Sequential(nn.Linear(12 * 7 * 7, 64), nn.ReLU(True))
    head = VGG16RoIHead(n_class=5, roi_size=7, spatial_scale=1 / 16, classifier=classifier)
    return FasterRCNN(extractor, proposals, head)


def picture(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(1, 3, SIZE, SIZE).astype("float32"))


def forward(net):
    net.eval()

    def places():
        locations, scores, rois, indices = net(picture(0), scale=1.0)
        return [locations[:4], scores[:4], rois[:4]]

    def found():
        boxes, labels, scores = net.predict([picture(0)[0].numpy()], sizes=[(SIZE, SIZE)])
        return [boxes[0].shape[1], labels[0].ndim, scores[0].ndim]

    return {"places": places, "found": found}


def train(net):
    np.random.seed(0)
    teacher = trainer.FasterRCNNTrainer(net)
    teacher.train()
    losses = [teacher.train_step(picture(seed), BOXES, LABELS, 1.0) for seed in range(3)]
    teacher.faster_rcnn.scale_lr(0.1)
    losses.append(teacher.train_step(picture(3), BOXES, LABELS, 1.0))
    return {
        "total": [one.total_loss for one in losses],
        "places": [one.rpn_loc_loss for one in losses],
        "classes": [one.roi_cls_loss for one in losses],
        "meters": [value for value in teacher.get_meter_data().values()],
        "score": net.head.score.weight,
        "proposals": net.rpn.conv1.weight,
        "frozen": net.extractor[0].weight,
        "rate": net.optimizer.param_groups[0]["lr"],
    }
