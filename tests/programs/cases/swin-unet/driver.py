import argparse
import os
import random
import tempfile

import numpy as np
import torch

import trainer
import utils
from config import get_config
from networks.vision_transformer import SwinUnet as ViT_seg

CLASSES, SIZE = 4, 64
OPTIONS = ["DATA.IMG_SIZE", "64", "MODEL.SWIN.WINDOW_SIZE", "2", "MODEL.SWIN.EMBED_DIM", "24"]
OPTIONS += ["MODEL.SWIN.DEPTHS", "[2, 2, 1, 1]", "MODEL.DROP_PATH_RATE", "0.0"]


def arguments(*more):
    parser = argparse.ArgumentParser()
    parser.add_argument("--cfg", type=str, default="configs/swin_tiny_patch4_window7_224_lite.yaml")
    parser.add_argument("--opts", default=None, nargs="+")
    for name in ("--batch_size", "--n_gpu", "--max_epochs", "--seed", "--img_size", "--num_classes", "--num_workers"):
        parser.add_argument(name, type=int, default=1)
    for name in ("--root_path", "--list_dir", "--resume", "--tag", "--cache-mode", "--amp-opt-level"):
        parser.add_argument(name, type=str)
    parser.add_argument("--base_lr", type=float, default=0.05)
    parser.add_argument("--eval_interval", type=int, default=1)
    parser.add_argument("--accumulation-steps", type=int)
    for name in ("--zip", "--use-checkpoint", "--eval", "--throughput"):
        parser.add_argument(name, action="store_true")
    return parser.parse_args(["--opts", *OPTIONS, *more])


def write_slices():
    folder = tempfile.mkdtemp()
    rng = np.random.RandomState(3)
    names = []
    for i in range(4):
        image = rng.rand(80, 72).astype("float32")
        label = (rng.rand(80, 72) * CLASSES).astype("float32").round().clip(0, CLASSES - 1)
        np.savez(os.path.join(folder, f"case{i}.npz"), image=image, label=label)
        names.append(f"case{i}\n")
    for split in ("train", "val"):
        with open(os.path.join(folder, split + ".txt"), "w") as f:
            f.writelines(names)
    return folder


def build():
    plain = ViT_seg(get_config(arguments()), img_size=SIZE, num_classes=CLASSES)
    placed = ViT_seg(
        get_config(arguments("MODEL.SWIN.APE", "True", "MODEL.SWIN.QKV_BIAS", "False")),
        img_size=SIZE,
        num_classes=CLASSES,
    )
    return plain, placed


def pictures(seed, channels=1):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, channels, SIZE, SIZE).astype("float32"))


def volume(net):
    rng = np.random.RandomState(4)
    image = torch.from_numpy(rng.rand(1, 1, 3, 40, 48).astype("float32"))
    label = torch.from_numpy(rng.randint(0, CLASSES, (1, 1, 3, 40, 48)))
    utils.calculate_metric_percase = lambda prediction, truth: (prediction.mean(), truth.mean())
    return np.array(utils.test_single_volume(image, label, net, CLASSES, [SIZE, SIZE]))


def carried(net):
    path = os.path.join(tempfile.mkdtemp(), "swin.pth")
    state = {"module.swin_unet." + k: v for k, v in net.swin_unet.state_dict().items()}
    torch.save(state, path)
    config = get_config(arguments("MODEL.PRETRAIN_CKPT", path))
    other = ViT_seg(config, img_size=SIZE, num_classes=CLASSES)
    other.load_from(config)
    return other.swin_unet.layers[0].blocks[0].mlp.fc1.weight


def forward(plain, placed):
    plain.eval()
    placed.eval()
    return {
        "plain": lambda: plain(pictures(1)),
        "placed": lambda: placed(pictures(2, 3)),
        "volume": lambda: volume(plain),
        "carried": lambda: carried(plain),
    }


def trained(net, batch):
    folder, kept = write_slices(), []
    args = arguments("--batch_size", str(batch), "--max_epochs", "2", "--img_size", str(SIZE), "--num_workers", "0")
    args.num_classes, args.root_path, args.list_dir = CLASSES, folder, folder

    class Writer:
        def __init__(self, path):
            pass

        def add_scalar(self, name, value, step):
            kept.append(float(value))

        def close(self):
            pass

    trainer.SummaryWriter = Writer
    random.seed(5)
    np.random.seed(5)
    message = trainer.trainer_synapse(args, net, tempfile.mkdtemp())
    assert message == "Training Finished!"
    return [kept, net.swin_unet.output.weight, net.swin_unet.layers[0].blocks[1].attn.relative_position_bias_table]


def train(plain, placed):
    return {"plain": lambda: trained(plain, 2), "placed": lambda: trained(placed, 1)}


def init():
    net = build()[1].swin_unet
    return {
        "position": net.absolute_pos_embed,
        "table": torch.cat([layer.blocks[0].attn.relative_position_bias_table.flatten() for layer in net.layers]),
        "qkv": net.layers[0].blocks[0].attn.qkv.weight,
        "expand": net.layers_up[0].expand.weight,
        "output": net.output.weight,
        "norm": net.norm.weight,
    }
