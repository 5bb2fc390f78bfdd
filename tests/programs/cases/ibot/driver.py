import argparse
import json
import os
import shutil
import tempfile

import numpy as np
import timm.models.layers
import timm.models.registry
import torch
import torch.nn as nn
from PIL import Image
from torch.utils.data import Dataset



class DropPath(nn.Module):
    """Stands for timm's; nothing is dropped here."""

    def __init__(self, drop_prob=0.0):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        return x


timm.models.registry.register_model = lambda function: function
timm.models.layers.DropPath = DropPath
timm.models.layers.to_2tuple = lambda x: x if isinstance(x, tuple) else (x, x)
timm.models.layers.trunc_normal_ = nn.init.trunc_normal_

import main_ibot as program
import models
import utils
from evaluation.eval_knn import knn_classifier
from models.head import DINOHead, iBOTHead
from models.swin_transformer import SwinTransformer
from models.vision_transformer import VisionTransformer

SIZE, SMALL, PATCH, OUT = 32, 16, 8, 20


def vit_test(patch_size=PATCH, **kwargs):
    kwargs["drop_path_rate"] = 0.0
    return VisionTransformer(
        img_size=[SIZE], patch_size=patch_size, embed_dim=24, depth=2, num_heads=3, mlp_ratio=2, qkv_bias=True, **kwargs
    )


models.vit_test = vit_test


def head(shared):
    return iBOTHead(
        24, OUT, patch_out_dim=OUT, hidden_dim=16, bottleneck_dim=12, norm_last_layer=not shared, shared_head=shared
    )


def build():
    student = utils.MultiCropWrapper(vit_test(return_all_tokens=True, masked_im_modeling=True), head(False))
    teacher = utils.MultiCropWrapper(vit_test(return_all_tokens=True), head(True))
    swin = SwinTransformer(
        img_size=SIZE, embed_dim=12, depths=[2, 2], num_heads=[2, 3], window_size=4, mlp_ratio=2, num_classes=0,
        return_all_tokens=True, masked_im_modeling=True,
    )  # fmt: skip
    pooled = VisionTransformer(
        img_size=[SIZE], patch_size=PATCH, embed_dim=24, depth=1, num_heads=2, init_values=0.1, use_mean_pooling=True,
        num_classes=5,
    )  # fmt: skip
    normed = DINOHead(24, OUT, norm="bn", act="relu", hidden_dim=16, bottleneck_dim=0)
    return student, teacher, swin, pooled, normed


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def masks(seed, rows, size=SIZE // PATCH):
    return torch.from_numpy(np.random.RandomState(seed).rand(rows, size, size) < 0.4)


def joined(outputs):
    return torch.cat([one.reshape(-1).float() for one in outputs])


def group():
    """The loss sums its centers over all processes; here it is a group of one."""
    if not torch.distributed.is_initialized():
        with tempfile.TemporaryDirectory() as folder:
            torch.distributed.init_process_group(
                "gloo", init_method=f"file://{folder}/meeting", world_size=1, rank=0
            )


def neighbours():
    train, test = numbers(1, 60, 8), numbers(2, 100, 8)
    labels = torch.from_numpy(np.random.RandomState(3).randint(0, 6, 160))
    train, test = torch.nn.functional.normalize(train, dim=1), torch.nn.functional.normalize(test, dim=1)
    return list(knn_classifier(train, labels[:60], test, labels[60:], 10, 0.07, use_cuda=False, num_classes=6))


def augmented():
    picture = Image.fromarray(np.random.RandomState(1).randint(0, 256, (64, 64, 3)).astype("uint8"))
    return [list(one.shape) for one in program.DataAugmentationiBOT((0.4, 1.0), (0.05, 0.4), 2, 1)(picture)]


def forward(*nets):
    for net in nets:
        net.eval()
    student, teacher, swin, pooled, normed = nets
    large, small = numbers(0, 2, 3, SIZE, SIZE), numbers(1, 2, 3, SMALL, SMALL)
    mask = masks(2, 2)
    return {
        "student": lambda: joined(student([large, large.flip(3)], mask=[mask, masks(3, 2)])),
        "teacher": lambda: joined(teacher([large, large.flip(3)])),
        "crops": lambda: joined(teacher([small])),
        "masked": lambda: student.backbone(large, mask=mask),
        "attention": lambda: teacher.backbone.get_last_selfattention(large),
        "layers": lambda: joined(teacher.backbone.get_intermediate_layers(small, n=2)),
        "swin": lambda: swin(large, mask=masks(4, 2, SIZE // 4)),
        "swin_attention": lambda: joined(swin.get_selfattention(large, n=2)),
        "pooled": lambda: pooled(large),
        "normed": lambda: normed(numbers(5, 6, 24)),
        "schedule": lambda: utils.cosine_scheduler(0.1, 0.001, 5, 3, warmup_epochs=2),
        "accuracy": lambda: joined(utils.accuracy(numbers(6, 8, 6), torch.arange(8) % 6, topk=(1, 3))),
        "neighbours": neighbours,
        "augmented": augmented,
    }


class Pictures(Dataset):
    """What the folder of pictures gives: crops, a label, and a mask for each large crop."""

    def __init__(self, *args, **kwargs):
        self.epoch = -1

    def __len__(self):
        return 6

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __getitem__(self, index):
        seed = 10 * index + self.epoch
        crops = [numbers(seed + k, 3, SIZE, SIZE) for k in range(2)] + [numbers(seed + 5, 3, SMALL, SMALL)]
        drawn = [(np.random.RandomState(seed + k).rand(SIZE // PATCH, SIZE // PATCH) < 0.4) for k in range(2)]
        return crops, index % 3, drawn


def options(folder, *more):
    parser = argparse.ArgumentParser("iBOT", parents=[program.get_args_parser()])
    args = parser.parse_args(
        ["--patch_size", str(PATCH), "--out_dim", str(OUT), "--patch_out_dim", str(OUT), "--use_fp16", "false",
         "--batch_size_per_gpu", "3", "--warmup_teacher_temp_epochs", "1", "--warmup_epochs", "1", "--num_workers", "0",
         "--local_crops_number", "1", "--lr", "0.05", "--output_dir", folder, "--norm_last_layer", "true",
         "--clip_grad", "0.3", *more]
    )  # fmt: skip
    args.arch, args.gpu = "vit_test", None
    return args


def run(nets, *options_of_run):
    """The script's own function, whose networks are ours."""
    made, folder = utils.MultiCropWrapper, program.ImageFolderMask
    given = iter(nets)
    utils.MultiCropWrapper = lambda backbone, head: next(given)
    program.ImageFolderMask = Pictures
    try:
        program.train_ibot(options("logs", *options_of_run))
    finally:
        utils.MultiCropWrapper, program.ImageFolderMask = made, folder
    with open("logs/log.txt") as file:
        return [json.loads(line) for line in file]


def train(student, teacher, swin, pooled, normed):
    group()
    shutil.rmtree("logs", ignore_errors=True)
    os.makedirs("logs")
    run((student, teacher), "--epochs", "2")
    first = student.backbone.blocks[1].attn.qkv.weight.detach().clone()
    again = build()
    rows = run(again[:2], "--epochs", "3", "--load_from", "checkpoint.pth")
    saved = torch.load("logs/checkpoint.pth", map_location="cpu", weights_only=False)
    return {
        "losses": [[row["train_cls"], row["train_patch"], row["train_loss"]] for row in rows],
        "rates": [[row["train_lr"], row["train_wd"], row["train_acc"]] for row in rows],
        "clusters": [[row["train_nmi"], row["train_fscore"]] for row in rows],
        "epoch": saved["epoch"],
        "student": first,
        "masked": student.backbone.masked_embed,
        "gain": again[0].head.last_layer.weight_g,
        "direction": again[0].head.last_layer2.weight_v,
        "teacher": again[1].backbone.blocks[0].mlp.fc1.weight,
        "center": saved["ibot_loss"]["center"],
        "patch_center": saved["ibot_loss"]["center2"],
    }


def init():
    torch.manual_seed(0)
    student, teacher, swin, pooled, normed = build()
    return {
        "qkv": student.backbone.blocks[0].attn.qkv.weight,
        "positions": student.backbone.pos_embed,
        "head": teacher.head.mlp[2].weight,
        "swin": swin.layers[1].blocks[0].mlp.fc1.weight,
    }
