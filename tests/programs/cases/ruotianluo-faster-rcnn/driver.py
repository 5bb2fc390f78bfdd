import argparse
import os
import shutil
import sys

os.environ["TORCHDYNAMO_DISABLE"] = "1"  # to compile what takes regions takes minutes

import numpy as np
import torch
import torchvision

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))

import nets.mobilenet_v1 as mobilenet_v1  # noqa: E402
import roi_data_layer.layer as data_layer  # noqa: E402
import layer_utils.proposal_layer as proposal_layer  # noqa: E402
from layer_utils.anchor_target_layer import anchor_target_layer  # noqa: E402
from layer_utils.generate_anchors import generate_anchors  # noqa: E402
from layer_utils.proposal_target_layer import proposal_target_layer  # noqa: E402
from layer_utils.snippets import generate_anchors_pre  # noqa: E402
from model.bbox_transform import bbox_transform, bbox_transform_inv, clip_boxes  # noqa: E402
from model.config import cfg  # noqa: E402
from model.train_val import SolverWrapper  # noqa: E402
from utils.bbox import bbox_overlaps  # noqa: E402

HEIGHT, WIDTH, CLASSES = 96, 128, 4

cfg.ANCHOR_SCALES = [1, 2, 4]
cfg.TRAIN.BATCH_SIZE, cfg.TRAIN.RPN_BATCHSIZE = 16, 24
cfg.TRAIN.RPN_PRE_NMS_TOP_N, cfg.TRAIN.RPN_POST_NMS_TOP_N = 100, 20
cfg.TEST.RPN_PRE_NMS_TOP_N, cfg.TEST.RPN_POST_NMS_TOP_N, cfg.TEST.RPN_TOP_N = 60, 12, 10
cfg.TRAIN.SNAPSHOT_ITERS, cfg.TRAIN.SNAPSHOT_PREFIX, cfg.TRAIN.STEPSIZE, cfg.TRAIN.DISPLAY = 2, "small", [3], 1
cfg.RPN_CHANNELS, cfg.POOLING_SIZE = 32, 4
mobilenet_v1_base = mobilenet_v1.mobilenet_v1_base
mobilenet_v1.mobilenet_v1_base = lambda: mobilenet_v1_base(depth_multiplier=0.125)


def plain_nms(boxes, scores, threshold):
    """What torchvision's kernel computes, for where its library does not load."""
    left, kept = scores.argsort(descending=True).tolist(), []
    corners = boxes.detach().numpy()
    while left:
        best = left.pop(0)
        kept.append(best)
        low, high = np.maximum(corners[best, :2], corners[left, :2]), np.minimum(corners[best, 2:], corners[left, 2:])
        common = np.maximum(high - low, 0).prod(1)
        areas = [(corners[one, 2:] - corners[one, :2]).prod(-1) for one in (best, left)]
        left = [one for one, share in zip(left, common / (areas[0] + areas[1] - common)) if share <= threshold]
    return torch.tensor(kept)


def has_kernels():
    try:
        return len(torchvision.ops.nms(torch.tensor([[0.0, 0.0, 1.0, 1.0]]), torch.zeros(1), 0.5)) == 1
    except RuntimeError:
        return False


if not has_kernels():
    proposal_layer.nms = plain_nms


def network():
    net = mobilenet_v1.mobilenetv1()
    net._net_conv_channels, net._fc7_channels = 64, 128
    return net


def build():
    net = network()
    net.create_architecture(CLASSES, tag="default", anchor_scales=cfg.ANCHOR_SCALES, anchor_ratios=cfg.ANCHOR_RATIOS)
    return net


def boxes(seed, rows):
    rng = np.random.RandomState(seed)
    corners = rng.rand(rows, 2) * [WIDTH - 60, HEIGHT - 50]
    sizes = 15 + rng.rand(rows, 2) * 35
    return np.concatenate([corners, corners + sizes], 1).astype("float32")


def blobs(seed):
    rng = np.random.RandomState(seed)
    truth = np.concatenate([boxes(seed, 3), rng.randint(1, CLASSES, (3, 1))], 1).astype("float32")
    return {
        "data": rng.randn(1, HEIGHT, WIDTH, 3).astype("float32"),
        "im_info": np.array([HEIGHT, WIDTH, 1.0], dtype=np.float32),
        "gt_boxes": truth,
    }


def get_minibatch(roidb, num_classes):
    """What the repository reads from files, made up."""
    return blobs(roidb[0]["seed"])


data_layer.get_minibatch = get_minibatch


def tested(net, mode):
    cfg.TEST.MODE = mode
    made = blobs(1)
    scores, probabilities, pred, rois = net.test_image(made["data"], made["im_info"])
    return np.concatenate([np.ravel(one) for one in (scores, probabilities, pred, rois)])


def anchors():
    made, length = generate_anchors_pre(3, 4, [16], (1, 2), (0.5, 1, 2))
    return np.concatenate([np.ravel(made), [length]])


def matched():
    np.random.seed(1)
    made, _ = generate_anchors_pre(6, 8, [16], (1, 2, 4), (0.5, 1, 2))
    truth = blobs(2)["gt_boxes"]
    targets = anchor_target_layer(torch.zeros(1, 6, 8, 18), truth, [HEIGHT, WIDTH, 1.0], [16], made, 9)
    return np.concatenate([np.ravel(one) for one in targets])


def sampled():
    np.random.seed(1)
    truth = torch.from_numpy(blobs(3)["gt_boxes"])
    near = truth[:, :4].repeat(4, 1) + torch.from_numpy(np.random.RandomState(4).randn(12, 4).astype("float32")) * 4
    rois = torch.cat([torch.zeros(12, 1), near], 1)
    made = proposal_target_layer(rois, torch.zeros(12, 1), truth, CLASSES)
    return torch.cat([one.reshape(-1) for one in made])


def forward(net):
    net.eval()
    one, other = torch.from_numpy(boxes(5, 6)), torch.from_numpy(boxes(6, 6))
    deltas = torch.from_numpy(np.random.RandomState(7).randn(6, 8).astype("float32")) * 0.3
    return {
        "nms": lambda: tested(net, "nms"),
        "top": lambda: tested(net, "top"),
        "head": lambda: net.extract_head(blobs(8)["data"]),
        "anchors": anchors,
        "base": lambda: generate_anchors(),
        "matched": matched,
        "sampled": sampled,
        "overlaps": lambda: bbox_overlaps(one, other),
        "overlaps_np": lambda: bbox_overlaps(one.numpy(), other.numpy()),
        "deltas": lambda: bbox_transform(one, other),
        "moved": lambda: clip_boxes(bbox_transform_inv(one, deltas), [HEIGHT, WIDTH]),
    }


def solver(net):
    roidb = [{"seed": 10 + i, "width": WIDTH, "height": HEIGHT} for i in range(3)]
    made = SolverWrapper(net, argparse.Namespace(num_classes=CLASSES), roidb, roidb, "out", "board")
    made.data_layer = data_layer.RoIDataLayer(roidb, CLASSES)
    made.data_layer_val = data_layer.RoIDataLayer(roidb, CLASSES)
    return made


def train(net):
    """From a snapshot with these weights, so that the solver restores, goes on and writes others."""
    shutil.rmtree("out", ignore_errors=True)
    np.random.seed(3)
    solver(net).snapshot(1)
    losses = []

    class Watched(mobilenet_v1.mobilenetv1):
        def train_step(self, given, train_op):
            made = super().train_step(given, train_op)
            losses.append(list(made))
            return made

    fresh = Watched()
    fresh._net_conv_channels, fresh._fc7_channels = 64, 128
    trainer = solver(fresh)
    trainer.train_model(5)
    saved = torch.load("out/small_iter_5.pth")
    groups = trainer.optimizer.param_groups
    return {
        "losses": losses,
        "files": len(os.listdir("out")),
        "rates": [group["lr"] for group in groups],
        "decays": [group["weight_decay"] for group in groups],
        "rpn": saved["rpn_net.weight"],
        "bbox": saved["bbox_pred_net.weight"],
        "pointwise": saved["mobilenet.Conv2d_8.pointwise.0.weight"],
        "fixed": saved["mobilenet.Conv2d_1.depthwise.0.weight"],
        "mean": saved["mobilenet.Conv2d_12.pointwise.1.running_mean"],
    }


def init():
    torch.manual_seed(0)
    net = build()
    return {"conv": net.mobilenet.Conv2d_8.pointwise[0].weight, "rpn": net.rpn_net.weight, "score": net.cls_score_net.weight}
