import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, "lib")

import model.faster_rcnn.resnet as resnets
from model.utils.config import cfg
from model.utils.net_utils import adjust_learning_rate

CLASSES = ("__background__", "circle", "square")
SIZE = 96

cfg.ANCHOR_SCALES = [1, 2, 4]
cfg.USE_GPU_NMS = False
cfg.CUDA = False
cfg.TRAIN.BATCH_SIZE = 16
cfg.TRAIN.RPN_BATCHSIZE = 32
cfg.TRAIN.RPN_POST_NMS_TOP_N = 24
cfg.TEST.RPN_POST_NMS_TOP_N = 8

# one block in a stage
resnets.resnet50 = lambda: resnets.ResNet(resnets.Bottleneck, [1, 1, 1, 1])


class GridCrop(nn.Module):
    """As the repository's compiled crop, which its compare_grid_sample holds against grid_sample."""

    def forward(self, base_feat, grid_yx):
        rois_per_image = grid_yx.size(0) // base_feat.size(0)
        bottom = base_feat.repeat_interleave(rois_per_image, dim=0)
        grid = torch.stack([grid_yx[:, :, :, 1], grid_yx[:, :, :, 0]], 3)
        return F.grid_sample(bottom, grid, align_corners=True)


def build():
    fasterRCNN = resnets.resnet(CLASSES, 50, pretrained=False, class_agnostic=False)
    fasterRCNN.create_architecture()
    fasterRCNN.RCNN_roi_crop = GridCrop()
    return fasterRCNN


def init():
    torch.manual_seed(1)
    fasterRCNN = build()
    return {"rpn": fasterRCNN.RCNN_rpn.RPN_Conv.weight, "box": fasterRCNN.RCNN_bbox_pred.weight}


def batch(seed):
    rng = np.random.RandomState(seed)
    images = rng.randn(2, 3, SIZE, SIZE)
    boxes = np.zeros((2, 20, 5))
    for image in range(2):
        for box in range(2):
            x, y = rng.randint(0, SIZE - 50, 2)
            w, h = rng.randint(20, 48, 2)
            boxes[image, box] = x, y, x + w, y + h, 1 + box
            images[image, box, y : y + h, x : x + w] += 3.0
    im_info = np.array([[SIZE, SIZE, 1.0]] * 2)
    return (
        torch.from_numpy(images.astype("float32")),
        torch.from_numpy(im_info.astype("float32")),
        torch.from_numpy(boxes.astype("float32")),
        torch.from_numpy(np.array([2, 2])),
    )


def forward(fasterRCNN):
    fasterRCNN.eval()
    im_data, im_info, gt_boxes, num_boxes = batch(0)
    with torch.no_grad():
        rois, cls_prob, bbox_pred = fasterRCNN(im_data, im_info, gt_boxes, num_boxes)[:3]
        base_feat = fasterRCNN.RCNN_base(im_data)
    return {"base_feat": base_feat, "rois": rois, "cls_prob": cls_prob, "bbox_pred": bbox_pred}


def train(fasterRCNN):
    """The steps of trainval_net.py."""
    np.random.seed(3)  # the repository draws anchors and rois with NumPy
    lr = 0.001
    params = []
    for key, value in dict(fasterRCNN.named_parameters()).items():
        if value.requires_grad:
            if 'bias' in key:
                params += [{'params': [value], 'lr': lr * (cfg.TRAIN.DOUBLE_BIAS + 1),
                            'weight_decay': cfg.TRAIN.BIAS_DECAY and cfg.TRAIN.WEIGHT_DECAY or 0}]
            else:
                params += [{'params': [value], 'lr': lr, 'weight_decay': cfg.TRAIN.WEIGHT_DECAY}]
    optimizer = torch.optim.SGD(params, momentum=cfg.TRAIN.MOMENTUM)

    results = {"losses": [], "rpn_cls": [], "rpn_box": [], "rcnn_cls": [], "rcnn_box": []}
    for step in range(3):
        fasterRCNN.train()
        if step == 2:
            adjust_learning_rate(optimizer, 0.1)
        im_data, im_info, gt_boxes, num_boxes = batch(10 + step)

        fasterRCNN.zero_grad()
        rois, cls_prob, bbox_pred, \
        rpn_loss_cls, rpn_loss_box, \
        RCNN_loss_cls, RCNN_loss_bbox, \
        rois_label = fasterRCNN(im_data, im_info, gt_boxes, num_boxes)

        loss = rpn_loss_cls.mean() + rpn_loss_box.mean() \
            + RCNN_loss_cls.mean() + RCNN_loss_bbox.mean()

        # backward
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        results["losses"].append(loss.item())
        results["rpn_cls"].append(rpn_loss_cls.item())
        results["rpn_box"].append(rpn_loss_box.item())
        results["rcnn_cls"].append(RCNN_loss_cls.item())
        results["rcnn_box"].append(RCNN_loss_bbox.item())
    return {
        **results,
        "rpn": fasterRCNN.RCNN_rpn.RPN_cls_score.weight,
        "boxes": fasterRCNN.RCNN_bbox_pred.weight,
    }
