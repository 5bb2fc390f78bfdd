import os
import sys
import tempfile

import numpy as np
import torch
from torch import distributed

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "recognition", "arcface_torch"))

from backbones.iresnet import IBasicBlock, IResNet
from backbones.mobilefacenet import MobileFaceNet
from losses import ArcFace, CombinedMarginLoss, CosFace
from lr_scheduler import PolynomialLRWarmup
from partial_fc_v2 import PartialFC_V2
from utils.utils_logging import AverageMeter

EMBEDDING, CLASSES = 16, 12


def join_group():
    if not distributed.is_initialized():
        with tempfile.TemporaryDirectory() as folder:
            distributed.init_process_group(
                "gloo", init_method=f"file://{folder}/meeting", world_size=1, rank=0
            )


def build():
    join_group()
    return (
        IResNet(IBasicBlock, [1, 1, 1, 1], num_features=EMBEDDING),
        MobileFaceNet(num_features=EMBEDDING, blocks=(1, 1, 1, 1), scale=1),
        PartialFC_V2(CombinedMarginLoss(64, 1.0, 0.5, 0.0), EMBEDDING, CLASSES, 1.0),
        PartialFC_V2(CombinedMarginLoss(64, 1.0, 0.0, 0.4), EMBEDDING, CLASSES, 0.1),
    )


def init():
    torch.manual_seed(1)
    join_group()
    resnet = IResNet(IBasicBlock, [1, 1, 1, 1], num_features=64)
    mobile = MobileFaceNet(num_features=64)
    return {
        "conv": resnet.layer3[0].conv2.weight,
        "fc": resnet.fc.weight,
        "mobile": mobile.conv_sep.layers[0].weight,
        "centers": PartialFC_V2(ArcFace(), 64, 100).weight,
    }


def batch(seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, CLASSES, 6)
    images = rng.randn(6, 3, 112, 112) * 0.5 + (labels / CLASSES - 0.5)[:, None, None, None]
    return torch.from_numpy(images.astype("float32")), torch.from_numpy(labels)


def logits(seed):
    rng = np.random.RandomState(seed)
    labels = torch.from_numpy(np.array([[3], [-1], [0], [7], [2], [-1]]))
    return torch.from_numpy(rng.uniform(-0.9, 0.9, (6, CLASSES)).astype("float32")), labels


def forward(resnet, mobile, arc, cos):
    resnet.eval()
    mobile.eval()
    images, labels = batch(0)
    return {
        "resnet": resnet(images),
        "mobile": lambda: mobile(images),
        "combined": lambda: CombinedMarginLoss(64, 1.0, 0.5, 0.0)(*logits(1)),
        "filtered": lambda: CombinedMarginLoss(64, 1.0, 0.0, 0.4, 0.3)(*logits(2)),
        "arcface": lambda: ArcFace()(*logits(3)),
        "cosface": lambda: CosFace()(*logits(4)),
        "loss": lambda: arc(resnet(images), labels.clone()),
        "sampled": lambda: cos(mobile(images), labels.clone()),
    }


def train(resnet, mobile, arc, cos):
    """The steps of train_v2.main, which wants NCCL."""
    result = {}
    for name, backbone, module_partial_fc, kind in (
        ("resnet", resnet, arc, "sgd"),
        ("mobile", mobile, cos, "adamw"),
    ):
        backbone = torch.nn.parallel.DistributedDataParallel(
            module=backbone, broadcast_buffers=False, bucket_cap_mb=16, find_unused_parameters=True
        )
        backbone.train()
        module_partial_fc.train()
        params = [{"params": backbone.parameters()}, {"params": module_partial_fc.parameters()}]
        if kind == "sgd":
            opt = torch.optim.SGD(params=params, lr=0.02, momentum=0.9, weight_decay=5e-4)
        else:
            opt = torch.optim.AdamW(params=params, lr=0.001, weight_decay=0.1)
        lr_scheduler = PolynomialLRWarmup(optimizer=opt, warmup_iters=2, total_iters=6)
        loss_am = AverageMeter()
        history = []
        for step in range(3):
            img, local_labels = batch(10 + step)
            local_embeddings = backbone(img)
            loss: torch.Tensor = module_partial_fc(local_embeddings, local_labels)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(backbone.parameters(), 5)
            opt.step()
            opt.zero_grad()
            lr_scheduler.step()
            with torch.no_grad():
                loss_am.update(loss.item(), 1)
                history += [loss_am.avg, lr_scheduler.get_last_lr()[0]]
        result[name] = history
        result[name + "_centers"] = module_partial_fc.weight
    result["prelu"] = resnet.prelu.weight
    result["features"] = resnet.features.weight
    result["mobile_conv"] = mobile.conv_sep.layers[0].weight
    return result
