import argparse
import os
import tempfile

import main_finetune
import main_simmim
import numpy as np
import torch
from config import get_config
from logger import create_logger
from lr_scheduler import build_scheduler
from models import build_model
from optimizer import build_optimizer
from timm.loss import LabelSmoothingCrossEntropy
from utils import load_checkpoint, load_pretrained, save_checkpoint

CLASSES = 10
SWIN = ["MODEL.TYPE", "swin", "DATA.IMG_SIZE", "64", "MODEL.SWIN.EMBED_DIM", "16", "MODEL.SWIN.DEPTHS", "[1, 2, 1, 1]"]
SWIN += ["MODEL.SWIN.NUM_HEADS", "[1, 2, 2, 4]", "MODEL.SWIN.WINDOW_SIZE", "2", "MODEL.DROP_PATH_RATE", "0.0"]
VIT = ["MODEL.TYPE", "vit", "DATA.IMG_SIZE", "64", "MODEL.VIT.EMBED_DIM", "32", "MODEL.VIT.DEPTH", "3"]
VIT += ["MODEL.VIT.NUM_HEADS", "4", "MODEL.DROP_PATH_RATE", "0.0"]
COMMON = ["TRAIN.EPOCHS", "4", "TRAIN.WARMUP_EPOCHS", "1", "PRINT_FREQ", "1", "MODEL.NUM_CLASSES", str(CLASSES)]
COMMON += ["TRAIN.BASE_LR", "1e-3"]


def configuration(*options):
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "config.yaml")
    with open(path, "w") as f:
        f.write("MODEL:\n  NAME: small\n")
    args = argparse.Namespace(
        cfg=path, opts=[*COMMON, *options], batch_size=4, output=folder, tag="run", local_rank=0, amp_opt_level="O0"
    )
    config = get_config(args)
    os.makedirs(config.OUTPUT, exist_ok=True)
    return config


def logger_of(config):
    return create_logger(output_dir=config.OUTPUT, dist_rank=0, name=os.path.basename(os.path.dirname(config.OUTPUT)))


def pictures(seed, number=4):
    return torch.from_numpy(np.random.RandomState(seed).randn(number, 3, 64, 64).astype("float32"))


def masks(seed, config, number=4):
    from data.data_simmim import MaskGenerator

    patch = config.MODEL.SWIN.PATCH_SIZE if config.MODEL.TYPE == "swin" else config.MODEL.VIT.PATCH_SIZE
    np.random.seed(seed)
    generator = MaskGenerator(64, 32, patch, 0.5)
    return torch.from_numpy(np.stack([generator() for _ in range(number)]))


def build():
    swin, vit = configuration(*SWIN), configuration(*VIT)
    shared = configuration(*VIT, "MODEL.VIT.USE_APE", "True", "MODEL.VIT.USE_SHARED_RPB", "False")
    return (
        build_model(swin, is_pretrain=True),
        build_model(vit, is_pretrain=True),
        build_model(swin, is_pretrain=False),
        build_model(shared, is_pretrain=False),
    )


def forward(swin, vit, swin_classes, vit_classes):
    for net in (swin, vit, swin_classes, vit_classes):
        net.eval()
    return {
        "swin": lambda: swin(pictures(1), masks(1, configuration(*SWIN))),
        "vit": lambda: vit(pictures(2), masks(2, configuration(*VIT))),
        "encoded": lambda: vit.encoder(pictures(2), masks(2, configuration(*VIT))),
        "swin classes": lambda: swin_classes(pictures(3)),
        "vit classes": lambda: vit_classes(pictures(4)),
    }


def pretrained(config, net):
    logger = main_simmim.logger = logger_of(config)
    optimizer = build_optimizer(config, net, logger, is_pretrain=True)
    batches = [(pictures(10 + i), masks(20 + i, config), None) for i in range(4)]
    scheduler = build_scheduler(config, optimizer, len(batches))
    for epoch in range(2):
        main_simmim.train_one_epoch(config, net, batches, optimizer, epoch, scheduler)
    save_checkpoint(config, 1, net, 0.0, optimizer, scheduler, logger)
    config.defrost()
    config.MODEL.RESUME = os.path.join(config.OUTPUT, "ckpt_epoch_1.pth")
    config.freeze()
    load_checkpoint(config, net, optimizer, scheduler, logger)
    rates = [(group["lr"], group["weight_decay"], len(group["params"])) for group in optimizer.param_groups]
    return [net.encoder.mask_token, net.decoder[0].weight, net.encoder.patch_embed.proj.weight, np.array(rates)]


def finetuned(config, net):
    logger = main_finetune.logger = logger_of(config)
    optimizer = build_optimizer(config, net, logger, is_pretrain=False)
    rng = np.random.RandomState(6)
    batches = [(pictures(30 + i), torch.from_numpy(rng.randint(0, CLASSES, 4))) for i in range(4)]
    scheduler = build_scheduler(config, optimizer, len(batches))
    criterion = LabelSmoothingCrossEntropy(smoothing=config.MODEL.LABEL_SMOOTHING)
    for epoch in range(2):
        main_finetune.train_one_epoch(config, net, criterion, batches, optimizer, epoch, None, scheduler)
    scores = main_finetune.validate(config, batches, net)
    rates = [(group["lr"], group["weight_decay"], len(group["params"])) for group in optimizer.param_groups]
    return [np.array(scores), np.array(rates), net.head.weight, net.patch_embed.proj.weight]


def carried(source, options, name):
    config = configuration(*options)
    path = os.path.join(config.OUTPUT, "pretrained.pth")
    torch.save({"model": source.state_dict()}, path)
    config.defrost()
    config.PRETRAINED = path
    config.freeze()
    target = build_model(config, is_pretrain=False)
    load_pretrained(config, target, logger_of(config))
    return [dict(target.named_parameters())[name]]


def train(swin, vit, swin_classes, vit_classes):
    return {
        "swin": lambda: pretrained(configuration(*SWIN), swin),
        "vit": lambda: pretrained(
            configuration(*VIT, "TRAIN.ACCUMULATION_STEPS", "2", "TRAIN.CLIP_GRAD", "0.0", "TRAIN.LR_SCHEDULER.NAME", "linear"), vit
        ),
        "swin classes": lambda: finetuned(
            configuration(*SWIN, "TRAIN.LAYER_DECAY", "0.9", "TRAIN.LR_SCHEDULER.NAME", "step"), swin_classes
        ),
        "vit classes": lambda: finetuned(
            configuration(
                *VIT, "TRAIN.LAYER_DECAY", "0.8", "TRAIN.LR_SCHEDULER.NAME", "multistep",
                "TRAIN.LR_SCHEDULER.MULTISTEPS", "[1, 2]", "TRAIN.OPTIMIZER.NAME", "sgd",
            ),
            vit_classes,
        ),
        "swin carried": lambda: carried(swin, SWIN, "layers.1.blocks.1.mlp.fc1.weight"),
        "vit carried": lambda: carried(vit, [*VIT, "MODEL.VIT.USE_RPB", "True", "MODEL.VIT.USE_SHARED_RPB", "False"], "blocks.1.mlp.fc1.weight"),
    }  # fmt: skip


def init():
    swin = build_model(configuration(*SWIN), is_pretrain=True)
    vit = build_model(configuration(*VIT), is_pretrain=True)
    return {
        "qkv": swin.encoder.layers[1].blocks[0].attn.qkv.weight,
        "patches": swin.encoder.patch_embed.proj.weight,
        "decoder": swin.decoder[0].weight,
        "vit qkv": vit.encoder.blocks[0].attn.qkv.weight,
        "vit projection": vit.encoder.blocks[2].attn.proj.weight,
        "vit fc2": vit.encoder.blocks[2].mlp.fc2.weight,
    }
