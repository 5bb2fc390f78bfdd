import argparse
import json
import os
import shutil
from functools import partial

import numpy as np
import torch
import torch.nn as nn
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.utils import NativeScaler

import main
import utils
from engine import evaluate, train_one_epoch
from losses import DistillationLoss
from samplers import RASampler
from timm.models import create_model
from xcit import XCiT

CLASSES = 5
NORM = partial(nn.LayerNorm, eps=1e-6)


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def build():
    small = dict(
        img_size=48, embed_dim=32, depth=2, num_heads=4, mlp_ratio=2, norm_layer=NORM, num_classes=CLASSES, eta=0.5
    )
    eight = XCiT(patch_size=8, qkv_bias=True, tokens_norm=True, **small)
    sixteen = XCiT(patch_size=16, qkv_bias=False, tokens_norm=True, use_pos=False, **small)
    return eight, sixteen, create_model("xcit_tiny_12_p16", num_classes=CLASSES), XCiT(patch_size=8, **small)


def init():
    torch.manual_seed(3)
    net = create_model("xcit_tiny_12_p16", num_classes=CLASSES)
    return {
        "head": net.head.weight,
        "token": net.cls_token,
        "conv": net.patch_embed.proj[2][0].weight,
        "local": net.blocks[0].local_mp.conv1.weight,
    }


def forward(eight, sixteen, tiny, plain):
    for net in (eight, sixteen, tiny, plain):
        net.eval()
    block = eight.blocks[1]
    tokens = array(3, 2, 36, 32)
    sampler = RASampler(list(range(300)), num_replicas=2, rank=1, shuffle=False)
    shuffled = RASampler(list(range(300)), num_replicas=2, rank=0)
    shuffled.set_epoch(3)
    return {
        "eight": lambda: eight(array(0, 2, 3, 48, 48)),
        "sixteen": lambda: sixteen(array(1, 2, 3, 64, 48)),
        "plain": lambda: plain(array(4, 2, 3, 24, 48)),
        "tiny": lambda: tiny(array(2, 2, 3, 32, 32)),
        "position": lambda: eight.pos_embeder(2, 3, 4),
        "attention": lambda: block.attn(tokens),
        "local": lambda: block.local_mp(tokens, 6, 6),
        "token": lambda: eight.cls_attn_blocks[0](tokens, 6, 6),
        "first_token": lambda: plain.cls_attn_blocks[0](tokens.clone(), 6, 6),
        "sampled": lambda: [list(sampler), len(sampler), len(set(shuffled)), len(list(shuffled))],
        "no_decay": lambda: [len(eight.no_weight_decay()), len(block.attn.no_weight_decay())],
    }


class Pictures(torch.utils.data.Dataset):
    """All of them are in one batch, so that their order does not count."""

    def __init__(self, seed, size):
        self.pictures = np.random.RandomState(seed).randn(size, 3, 32, 32).astype("float32")

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, index):
        return torch.from_numpy(self.pictures[index]), index % CLASSES


def run(tiny, results):
    shutil.rmtree("made", ignore_errors=True)
    torch.save({"model": tiny.state_dict()}, "begun.pth")
    words = "--model xcit_tiny_12_p16 --batch-size 6 --lr 0.05 --warmup-epochs 1 --drop-path 0 --mixup 0 --cutmix 0"
    words += " --no-repeated-aug --device cpu --num_workers 0 --clip-grad 1.0 --model-ema-decay 0.9 --output_dir made"
    parser = argparse.ArgumentParser("XCiT", parents=[main.get_args_parser()])
    own = main.build_dataset
    main.build_dataset = lambda is_train, args: (Pictures(5 + is_train, 6 if is_train else 11), CLASSES)
    try:
        for epochs, more in ((2, ["--pretrained", "begun.pth"]), (3, ["--resume", "made"])):
            main.main(parser.parse_args([*words.split(), "--epochs", str(epochs), *more]))
    finally:
        main.build_dataset = own
    with open("made/log.txt") as file:
        lines = [json.loads(line) for line in file]
    for name in ("train_loss", "train_lr", "test_loss", "epoch", "n_parameters"):
        results[name] = [line[name] for line in lines]
    checkpoint = torch.load("made/checkpoint.pth", map_location="cpu", weights_only=False)
    results["saved"] = checkpoint["model"]["head.weight"]
    results["average"] = checkpoint["model_ema"]["blocks.3.attn.temperature"].reshape(-1)
    results["epochs"] = [checkpoint["epoch"], checkpoint["args"].epochs, len(checkpoint["optimizer"]["param_groups"])]
    results["files"] = sorted(os.listdir("made")) == ["best_model.pth", "checkpoint.pth", "log.txt"]


def train(eight, sixteen, tiny, plain):
    results = {}
    run(tiny, results)
    batches = [(array(seed, 4, 3, 48, 48), torch.tensor([0, 1, 2, seed % CLASSES])) for seed in range(3)]
    mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, label_smoothing=0.1, num_classes=CLASSES)
    for kind, net, teacher in (("hard", eight, sixteen), ("soft", sixteen, eight)):
        optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, eps=1e-3)
        teacher.eval()
        criterion = DistillationLoss(SoftTargetCrossEntropy(), teacher, kind, 0.4, 2.0)
        np.random.seed(1)
        stats = train_one_epoch(
            net, criterion, batches, optimizer, torch.device("cpu"), 1, NativeScaler(), 0.5, None, mixup
        )
        results[kind] = [stats["loss"], stats["lr"]]
        results[kind + "_tested"] = evaluate(batches, net, torch.device("cpu"))["loss"]
        results[kind + "_temperature"] = net.blocks[0].attn.temperature.reshape(-1)
        results[kind + "_gamma"] = net.cls_attn_blocks[1].gamma2
        results[kind + "_conv"] = net.patch_embed.proj[0][0].weight
    value = utils.SmoothedValue(window_size=4)
    for one in (1.0, 5.0, 2.5, 4.0, 0.5):
        value.update(one, 2)
    results["smoothed"] = [value.median, value.avg, value.global_avg, value.max, value.value]
    return results
