import numpy as np
import timm.data
import timm.models.registry
import timm.models.vision_transformer
import timm.utils
import torch
import torch.nn as nn


def accuracy(output, target, topk=(1,)):
    _, pred = output.topk(max(topk), 1, True, True)
    correct = pred.t().eq(target.reshape(1, -1).expand_as(pred.t()))
    return [correct[:k].reshape(-1).float().sum(0) * 100.0 / target.size(0) for k in topk]


timm.models.vision_transformer.trunc_normal_ = nn.init.trunc_normal_
timm.models.registry.register_model = lambda function: function
timm.utils.accuracy = accuracy

import engine  # noqa: E402
import levit  # noqa: E402
import utils  # noqa: E402
from losses import DistillationLoss  # noqa: E402

CLASSES = 7


def small(distillation=True, size=64):
    activation = nn.Hardswish
    return levit.LeViT(
        img_size=size, patch_size=16, num_classes=CLASSES, embed_dim=[16, 24, 32], key_dim=[4, 4, 4], depth=[1, 1, 1],
        num_heads=[2, 3, 4], attn_ratio=[2, 2, 2], mlp_ratio=[2, 2, 2],
        down_ops=[["Subsample", 4, 4, 4, 2, 2], ["Subsample", 4, 6, 4, 2, 2]], attention_activation=activation,
        mlp_activation=activation, hybrid_backbone=levit.b16(16, activation=activation, resolution=size),
        distillation=distillation,
    )  # fmt: skip


def build():
    return small(), small(distillation=False), levit.LeViT_128S(num_classes=CLASSES)


def init():
    torch.manual_seed(1)
    net = small()
    return {
        "patches": net.patch_embed[2].c.weight,
        "qkv": net.blocks[0].m.qkv.c.weight,
        "head": net.head.l.weight,
        "sample": net.blocks[2].q[1].c.weight,
    }


def images(seed, rows=3, size=64):
    return torch.from_numpy(np.random.RandomState(seed).randn(rows, 3, size, size).astype("float32"))


def fused():
    """The same net, with its norms folded into the layers before them."""
    torch.manual_seed(2)
    net = small()
    for index, one in enumerate(net.modules()):
        if isinstance(one, (nn.BatchNorm1d, nn.BatchNorm2d)):
            one.running_mean.copy_(0.1 * torch.sin(torch.arange(one.num_features) + index))
            one.weight.data.fill_(0.5)
    net.eval()
    with torch.no_grad():
        before = net(images(5))
        utils.replace_batchnorm(net)
        after = net(images(5))
    return [float((before - after).abs().max() < 1e-4), sum(1 for _ in net.parameters())]


def forward(net, teacher, whole):
    for one in (net, teacher, whole):
        one.eval()
    return {
        "logits": lambda: net(images(0)),
        "teacher": lambda: teacher(images(1)),
        "whole": lambda: whole(images(2, 1, 224)),
        "flops": lambda: [net.FLOPS, teacher.FLOPS],
        "decays": lambda: sorted(net.no_weight_decay()) == sorted(teacher.no_weight_decay()),
        "counts": lambda: [len(net.no_weight_decay()), len(list(net.parameters()))],
        "fused": fused,
    }


class Scaler:
    """What timm's NativeScaler does without half precision."""

    def __call__(self, loss, optimizer, clip_grad=None, clip_mode="norm", parameters=None, create_graph=False):
        loss.backward(create_graph=create_graph)
        if clip_grad:
            nn.utils.clip_grad_norm_(parameters, clip_grad)
        optimizer.step()


class Mixing:
    """What timm's Mixup does, without drawing."""

    def __call__(self, samples, targets):
        hot = nn.functional.one_hot(targets, CLASSES).float()
        return 0.7 * samples + 0.3 * samples.flip(0), 0.7 * hot + 0.3 * hot.flip(0)


class SoftTargetCrossEntropy(nn.Module):
    def forward(self, x, target):
        return torch.sum(-target * nn.functional.log_softmax(x, dim=-1), dim=-1).mean()


def train(net, teacher, whole):
    device, losses = torch.device("cpu"), []
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.025)
    for epoch, kind in enumerate(("hard", "soft", "none")):
        plain = nn.CrossEntropyLoss() if epoch == 1 else SoftTargetCrossEntropy()
        criterion = DistillationLoss(plain, teacher, kind, 0.5, 2.0)
        loader = [(images(10 * epoch + step), torch.tensor([0, 5, step])) for step in range(2)]
        stats = engine.train_one_epoch(
            net, criterion, loader, optimizer, device, epoch, Scaler(), clip_grad=0.1,
            mixup_fn=None if epoch == 1 else Mixing(),
        )  # fmt: skip
        tested = engine.evaluate([(images(40), torch.tensor([1, 4, 3]))], net, device)
        losses.append([stats["loss"], stats["lr"], tested["loss"], tested["acc1"], tested["acc5"]])
    utils.save_on_master({"model": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 2}, "checkpoint.pth")
    saved = torch.load("checkpoint.pth", weights_only=False)
    again = small()
    again.load_state_dict(saved["model"])
    again.eval()
    return {
        "losses": losses,
        "biases": net.blocks[0].m.attention_biases,
        "qkv": net.blocks[0].m.qkv.c.weight,
        "sample": net.blocks[2].kv.bn.running_mean,
        "distilled": net.head_dist.l.weight,
        "patches": net.patch_embed[0].c.weight,
        "again": again(images(50)),
        "epoch": saved["epoch"],
    }
