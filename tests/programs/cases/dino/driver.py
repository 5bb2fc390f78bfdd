import argparse

import numpy as np
import torch
import torch.nn as nn

import main_dino
import utils
import vision_transformer as vits
from main_dino import DINOLoss, train_one_epoch
from vision_transformer import DINOHead

parser = argparse.ArgumentParser("DINO", parents=[main_dino.get_args_parser()])
args = parser.parse_args([
    "--arch", "vit_tiny", "--patch_size", "8", "--out_dim", "32", "--norm_last_layer", "false", "--epochs", "2",
    "--warmup_teacher_temp_epochs", "0", "--warmup_epochs", "0", "--use_fp16", "false", "--batch_size_per_gpu", "4",
    "--local_crops_number", "2", "--drop_path_rate", "0", "--freeze_last_layer", "1", "--clip_grad", "0.5",
    "--lr", "0.01",
])


def backbone():
    return vits.VisionTransformer(
        img_size=[32], patch_size=args.patch_size, embed_dim=32, depth=2, num_heads=2, mlp_ratio=2, qkv_bias=True,
        drop_path_rate=args.drop_path_rate,
    )


class Replica(nn.Module):
    """Stands for DistributedDataParallel on one process: the training code asks it for its module."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)


def build():
    student = utils.MultiCropWrapper(
        backbone(),
        DINOHead(
            32, args.out_dim, use_bn=args.use_bn_in_head, norm_last_layer=args.norm_last_layer, hidden_dim=48,
            bottleneck_dim=16,
        ),
    )
    teacher = utils.MultiCropWrapper(
        backbone(), DINOHead(32, args.out_dim, args.use_bn_in_head, hidden_dim=48, bottleneck_dim=16)
    )
    teacher.load_state_dict(student.state_dict())
    # there is no backpropagation through the teacher, so no need for gradients
    for p in teacher.parameters():
        p.requires_grad = False
    return student, teacher


def crops(seed):
    """Two global and two local views of four made-up images."""
    rng = np.random.RandomState(seed)
    images = rng.randn(4, 3, 32, 32)
    views = [images + 0.2 * rng.randn(4, 3, 32, 32) for _ in range(2)]
    views += [images[:, :, i : i + 16, i : i + 16] + 0.2 * rng.randn(4, 3, 16, 16) for i in (3, 9)]
    return [torch.from_numpy(view.astype("float32")) for view in views]


def forward(student, teacher):
    student.eval()
    teacher.eval()
    views = crops(0)
    with torch.no_grad():
        return {
            "teacher": teacher(views[:2]),
            "student": student(views),
            "attention": student.backbone.get_last_selfattention(views[0]),
            "layers": lambda: student.backbone.get_intermediate_layers(views[1], n=2),
            "positions": lambda: student.backbone.interpolate_pos_encoding(torch.zeros(1, 5, 32), 16, 16),
        }


def train(student, teacher):
    student = Replica(student)
    teacher_without_ddp = teacher
    dino_loss = DINOLoss(
        args.out_dim,
        args.local_crops_number + 2,  # total number of crops = 2 global crops + local_crops_number
        args.warmup_teacher_temp,
        args.teacher_temp,
        args.warmup_teacher_temp_epochs,
        args.epochs,
    )
    params_groups = utils.get_params_groups(student)
    optimizer = torch.optim.AdamW(params_groups)
    data_loader = [(crops(10 + step), None) for step in range(2)]
    lr_schedule = utils.cosine_scheduler(
        args.lr * (args.batch_size_per_gpu * utils.get_world_size()) / 256.0,  # linear scaling rule
        args.min_lr,
        args.epochs, len(data_loader),
        warmup_epochs=args.warmup_epochs,
    )
    wd_schedule = utils.cosine_scheduler(
        args.weight_decay,
        args.weight_decay_end,
        args.epochs, len(data_loader),
    )
    momentum_schedule = utils.cosine_scheduler(args.momentum_teacher, 1, args.epochs, len(data_loader))
    losses = []
    for epoch in range(args.epochs):
        stats = train_one_epoch(
            student, teacher, teacher_without_ddp, dino_loss, data_loader, optimizer, lr_schedule, wd_schedule,
            momentum_schedule, epoch, None, args,
        )
        losses += [stats["loss"], stats["lr"], stats["wd"]]
    return {
        "losses": losses,
        "center": dino_loss.center,
        "cls_token": student.module.backbone.cls_token,
        "last_layer": student.module.head.last_layer.weight_v,
        "teacher": teacher.backbone.blocks[0].attn.qkv.weight,
    }


def init():
    torch.manual_seed(1)
    student, _ = build()
    return {"pos_embed": student.backbone.pos_embed, "qkv": student.backbone.blocks[0].attn.qkv.weight}
