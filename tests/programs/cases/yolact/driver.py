import numpy as np
import torch
import torch.optim as optim

from data.config import cfg, set_cfg

SIZE, CLASSES, BATCH = 128, 4, 2

set_cfg("yolact_resnet50_config")
cfg.replace(
    {
        "max_size": SIZE,
        "num_classes": CLASSES + 1,
        "freeze_bn": True,
        "fpn": cfg.fpn.copy({"num_features": 16}),
        "backbone": cfg.backbone.copy(
            {"args": ([1, 1, 1, 1],), "pred_scales": [[8], [16], [32], [64], [96]]}
        ),
        "mask_proto_net": [(16, 3, {"padding": 1}), (None, -2, {}), (16, 3, {"padding": 1}), (8, 1, {})],
        "extra_head_net": [(16, 3, {"padding": 1})],
        "use_maskiou": True,
        "maskiou_net": [(4, 3, {"stride": 2}), (8, 3, {"stride": 2})],
        "maskiou_alpha": 25,
        "discard_mask_area": 5,
    }
)

from layers import MultiBoxLoss  # noqa: E402  what follows reads the configuration when it is imported
from layers.box_utils import decode, encode, jaccard, mask_iou  # noqa: E402
from yolact import Yolact  # noqa: E402


def build():
    torch.manual_seed(0)
    return Yolact()


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(BATCH, 3, SIZE, SIZE).astype("float32"))


def truths(seed):
    """Boxes with their classes, their masks, and how many of them are crowds."""
    drawn, boxes, masks = np.random.RandomState(seed), [], []
    for _ in range(BATCH):
        corner, size = drawn.uniform(0.05, 0.4, (3, 2)), drawn.uniform(0.2, 0.5, (3, 2))
        rows = np.concatenate([corner, corner + size, drawn.randint(0, CLASSES, (3, 1))], 1)
        drawn_masks = np.zeros((3, SIZE, SIZE), "float32")
        for mask, (left, top, right, bottom, _) in zip(drawn_masks, rows * SIZE):
            mask[int(top) : int(bottom), int(left) : int(right)] = 1.0
        boxes.append(torch.from_numpy(rows.astype("float32")))
        masks.append(torch.from_numpy(drawn_masks))
    return boxes, masks, [0, 1]


def detected(net, cross_class):
    net.detect.use_fast_nms, net.detect.use_cross_class_nms = True, cross_class
    with torch.no_grad():
        found = net(images(1))[0]["detection"]
    return [found[name] for name in ("box", "mask", "class", "score", "proto")]


def forward(net):
    net.eval()
    boxes = truths(0)[0][0][:, :4]
    others = truths(1)[0][1][:, :4]
    masks = truths(0)[1][0]
    net.train()
    with torch.no_grad():
        raw = net(images(1))
    net.eval()
    return {
        "loc": raw["loc"],
        "conf": raw["conf"],
        "mask": raw["mask"],
        "proto": raw["proto"],
        "segm": raw["segm"],
        "priors": raw["priors"],
        "detected": lambda: detected(net, False),
        "detected_across": lambda: detected(net, True),
        "jaccard": lambda: jaccard(boxes, others),
        "decoded": lambda: decode(encode(boxes, others), others),
        "mask_iou": lambda: mask_iou(masks, masks),
    }


def train(net):
    net.train()
    optimizer = optim.SGD(net.parameters(), lr=1e-4, momentum=cfg.momentum, weight_decay=cfg.decay)
    criterion = MultiBoxLoss(
        num_classes=cfg.num_classes,
        pos_threshold=cfg.positive_iou_threshold,
        neg_threshold=cfg.negative_iou_threshold,
        negpos_ratio=cfg.ohem_negpos_ratio,
    )
    kept = []
    for iteration in range(3):
        for param_group in optimizer.param_groups:
            param_group["lr"] = 1e-4 * (iteration + 1) / 3
        optimizer.zero_grad()
        targets, masks, num_crowds = truths(10 + iteration)
        preds = net(images(2 + iteration))
        losses = criterion(net, preds, targets, masks, num_crowds)
        losses = {k: (v).mean() for k, v in losses.items()}
        loss = sum([losses[k] for k in losses])
        loss.backward()
        if torch.isfinite(loss).item():
            optimizer.step()
        kept += [losses[k].item() for k in sorted(losses)]
    return {
        "losses": kept,
        "stem": net.backbone.conv1.weight,
        "lateral": net.fpn.lat_layers[0].weight,
        "proto": net.proto_net[0].weight,
        "boxes": net.prediction_layers[0].bbox_layer.weight,
        "maskiou": net.maskiou_net.maskiou_net[0].weight,
    }
