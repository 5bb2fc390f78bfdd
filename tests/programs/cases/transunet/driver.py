import argparse
import os
import random

import numpy as np
import torch

import trainer
from networks.vit_seg_modeling import CONFIGS, VisionTransformer
from utils import DiceLoss

SIZE, CLASSES = 64, 3


def build():
    config = CONFIGS["R50-ViT-B_16"].copy_and_resolve_references()
    config.hidden_size = 32
    config.transformer.mlp_dim = 48
    config.transformer.num_heads = 2
    config.transformer.num_layers = 2
    config.transformer.dropout_rate = 0.0
    config.resnet.num_layers = (2, 1, 1)
    config.n_classes = CLASSES
    config.patches.grid = (SIZE // 16, SIZE // 16)
    config.decoder_channels = (32, 16, 16, 8)
    return VisionTransformer(config, img_size=SIZE, num_classes=CLASSES)


def pretrained(net):
    """Weights as Google's files name them, with the shapes of the net."""
    rng = np.random.RandomState(5)

    def made(*shape):
        return (0.1 * rng.randn(*shape)).astype("float32")

    hidden, wide = 32, 48
    weights = {
        "embedding/kernel": made(1, 1, 1024, hidden),
        "embedding/bias": made(hidden),
        "Transformer/encoder_norm/scale": made(hidden),
        "Transformer/encoder_norm/bias": made(hidden),
        "Transformer/posembed_input/pos_embedding": made(1, 65, hidden),
        "conv_root/kernel": made(7, 7, 3, 64),
        "gn_root/scale": made(1, 1, 1, 64),
        "gn_root/bias": made(1, 1, 1, 64),
    }
    for block in range(2):
        root = f"Transformer/encoderblock_{block}/"
        for name in ("query", "key", "value"):
            weights[f"{root}MultiHeadDotProductAttention_1/{name}/kernel"] = made(hidden, 2, hidden // 2)
            weights[f"{root}MultiHeadDotProductAttention_1/{name}/bias"] = made(2, hidden // 2)
        weights[f"{root}MultiHeadDotProductAttention_1/out/kernel"] = made(2, hidden // 2, hidden)
        weights[f"{root}MultiHeadDotProductAttention_1/out/bias"] = made(hidden)
        weights[f"{root}MlpBlock_3/Dense_0/kernel"] = made(hidden, wide)
        weights[f"{root}MlpBlock_3/Dense_1/kernel"] = made(wide, hidden)
        weights[f"{root}MlpBlock_3/Dense_0/bias"] = made(wide)
        weights[f"{root}MlpBlock_3/Dense_1/bias"] = made(hidden)
        for name in ("LayerNorm_0", "LayerNorm_2"):
            weights[f"{root}{name}/scale"] = made(hidden)
            weights[f"{root}{name}/bias"] = made(hidden)
    for bname, block in net.transformer.embeddings.hybrid_model.body.named_children():
        for uname, unit in block.named_children():
            for number, (conv, norm) in enumerate(
                [(unit.conv1, unit.gn1), (unit.conv2, unit.gn2), (unit.conv3, unit.gn3)], 1
            ):
                outs, ins, high, broad = conv.weight.shape
                weights[f"{bname}/{uname}/conv{number}/kernel"] = made(high, broad, ins, outs)
                weights[f"{bname}/{uname}/gn{number}/scale"] = made(1, 1, 1, norm.weight.shape[0])
                weights[f"{bname}/{uname}/gn{number}/bias"] = made(1, 1, 1, norm.weight.shape[0])
            if hasattr(unit, "downsample"):
                outs, ins, high, broad = unit.downsample.weight.shape
                weights[f"{bname}/{uname}/conv_proj/kernel"] = made(high, broad, ins, outs)
                weights[f"{bname}/{uname}/gn_proj/scale"] = made(1, 1, 1, outs)
                weights[f"{bname}/{uname}/gn_proj/bias"] = made(1, 1, 1, outs)
    return weights


def forward(net):
    net.eval()
    rng = np.random.RandomState(0)
    images = torch.from_numpy(rng.rand(2, 1, SIZE, SIZE).astype("float32"))
    labels = torch.from_numpy(rng.randint(0, CLASSES, (2, SIZE, SIZE)))
    logits = net(images)

    def loaded():
        other = build()
        other.load_from(pretrained(other))
        other.eval()
        return other.transformer(images.repeat(1, 3, 1, 1))[0]

    return {
        "logits": logits,
        "dice": lambda: DiceLoss(CLASSES)(logits, labels, softmax=True),
        "loaded": loaded,
    }


def slices():
    os.makedirs("slices", exist_ok=True)
    names = []
    for number in range(4):
        rng = np.random.RandomState(number)
        label = np.zeros((48, 48), "float32")
        label[5:30, 8:40] = 1 + number % 2
        np.savez(f"slices/case{number}.npz", image=rng.rand(48, 48).astype("float32"), label=label)
        names.append(f"case{number}")
    with open("slices/train.txt", "w") as file:
        file.write("\n".join(names) + "\n")


def train(net):
    slices()
    os.makedirs("snapshot", exist_ok=True)
    random.seed(2)
    np.random.seed(2)
    steps = []

    class Watched(DiceLoss):
        def forward(self, *given, **named):
            loss = super().forward(*given, **named)
            steps.append(loss.item())
            return loss

    trainer.DiceLoss = Watched
    args = argparse.Namespace(
        base_lr=0.01,
        num_classes=CLASSES,
        batch_size=2,
        n_gpu=1,
        root_path="slices",
        list_dir="slices",
        img_size=SIZE,
        seed=1,
        max_epochs=2,
    )
    trainer.trainer_synapse(args, net, "snapshot")
    kept = torch.load("snapshot/epoch_1.pth")
    return {
        "dice": steps,
        "root": net.transformer.embeddings.hybrid_model.root.conv.weight,
        "position": net.transformer.embeddings.position_embeddings,
        "query": net.transformer.encoder.layer[1].attn.query.weight,
        "decoder": net.decoder.blocks[0].conv1[0].weight,
        "head": kept["segmentation_head.0.weight"],
    }
