import argparse
import os

import numpy as np
import timm.data
import timm.models.layers
import timm.models.registry
import timm.utils.model
import torch
import torch.nn as nn


class DropPath(nn.Module):
    """Stands for timm's; nothing is dropped here."""

    def __init__(self, drop_prob=0.0):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        return x


def unwrap_model(model):
    return model.module if hasattr(model, "module") else model


def get_state_dict(model, unwrap_fn=unwrap_model):
    return unwrap_fn(model).state_dict()


class AverageMeter:
    def __init__(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def accuracy(output, target, topk=(1,)):
    _, pred = output.topk(max(topk), 1, True, True)
    pred = pred.t()
    correct = pred.eq(target.reshape(1, -1).expand_as(pred))
    return [correct[:k].reshape(-1).float().sum(0) * 100.0 / target.size(0) for k in topk]


timm.data.IMAGENET_DEFAULT_MEAN, timm.data.IMAGENET_DEFAULT_STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
timm.models.layers.DropPath = DropPath
timm.models.layers.to_2tuple = lambda x: (x, x)
timm.models.layers.trunc_normal_ = nn.init.trunc_normal_
timm.models.registry.register_model = lambda function: function
timm.utils.model.unwrap_model, timm.utils.model.get_state_dict = unwrap_model, get_state_dict

import main as program
from checkpoint_saver import CheckpointSaver
from models.cswin import CSWinTransformer, img2windows, windows2img

program.AverageMeter, program.accuracy = AverageMeter, accuracy
args = argparse.Namespace(
    mixup_off_epoch=1, prefetcher=False, channels_last=False, distributed=False, clip_grad=1.0, log_interval=1,
    local_rank=0, world_size=1, save_images=False, recovery_interval=2, tta=0, model="cswin",
)  # fmt: skip


def build():
    return tuple(
        CSWinTransformer(
            img_size=64, patch_size=4, embed_dim=8, depth=[1, 1, 2, 1], split_size=[1, 2, 4, 2], num_heads=[2, 2, 4, 4],
            mlp_ratio=2.0, num_classes=6, use_chk=checked, drop_path_rate=0.1,
        )
        for checked in (False, True)
    )  # fmt: skip


def images(seed, rows=3):
    return torch.from_numpy(np.random.RandomState(seed).randn(rows, 3, 64, 64).astype("float32"))


def decays(net):
    return [sum(1 for name, _ in net.named_parameters() if name in net.no_weight_decay()), len(list(net.parameters()))]


def forward(net, checked):
    net.eval()
    checked.eval()
    picture = images(4)[:, :, :12, :12]
    return {
        "logits": lambda: net(images(0)),
        "features": lambda: net.forward_features(images(1)),
        "checked": lambda: checked(images(2)),
        "windows": lambda: img2windows(picture, 3, 6),
        "back": lambda: windows2img(img2windows(picture, 4, 3), 4, 3, 12, 12),
        "block": lambda: net.stage3[1](torch.sin(torch.arange(2.0 * 16 * 32)).view(2, 16, 32)),
        "decays": lambda: decays(net),
    }


class Schedule:
    """What timm's scheduler is asked."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    def step_update(self, num_updates, metric=None):
        for group in self.optimizer.param_groups:
            group["lr"] = 1e-3 / (1 + num_updates)


class Mixing:
    mixup_enabled = True

    def __call__(self, input, target):
        hot = nn.functional.one_hot(target, 6).float()
        if not self.mixup_enabled:
            return input, hot
        return 0.7 * input + 0.3 * input.flip(0), 0.7 * hot + 0.3 * hot.flip(0)


class SoftTargetCrossEntropy(nn.Module):
    def forward(self, x, target):
        return torch.sum(-target * nn.functional.log_softmax(x, dim=-1), dim=-1).mean()


def train(net, checked):
    os.makedirs("out", exist_ok=True)
    results = {}
    for name, one in (("net", net), ("checked", checked)):
        optimizer = torch.optim.AdamW(one.parameters(), lr=1e-3, weight_decay=0.05)
        saver = CheckpointSaver(one, optimizer, checkpoint_dir="out", recovery_dir="out", max_history=1)
        mixing, losses = Mixing(), []
        for epoch in range(2):
            loader = [(images(10 * epoch + step), torch.tensor([0, 5, 2])) for step in range(2)]
            trained = program.train_epoch(
                epoch, one, loader, optimizer, SoftTargetCrossEntropy(), args, lr_scheduler=Schedule(optimizer),
                saver=saver, output_dir="out", mixup_fn=mixing,
            )  # fmt: skip
            tested = program.validate(one, [(images(30), torch.tensor([1, 4, 3]))], nn.CrossEntropyLoss(), args)
            losses.append([trained["loss"], tested["loss"], tested["top1"], tested["top5"]])
            best, best_epoch = saver.save_checkpoint(epoch, metric=-tested["loss"])
        results[name + "_losses"] = losses
        results[name + "_best"] = [best, best_epoch]
    saved = torch.load("out/model_best.pth.tar")
    found = torch.load(saver.find_recovery())
    return {
        **results,
        "qkv": net.stage3[0].qkv.weight,
        "lepe": net.stage4[0].attns[0].get_v.weight,
        "embed": checked.stage1_conv_embed[0].weight,
        "merge": saved["state_dict"]["merge2.conv.weight"],
        "found": found["epoch"],
        "rate": saved["optimizer"]["param_groups"][0]["lr"],
    }


def init():
    torch.manual_seed(0)
    net = build()[0]
    return {"qkv": net.stage4[0].qkv.weight, "conv": net.merge3.conv.weight}
