import csv
import os
import shutil
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import src.train as program  # noqa: E402
from src.helper import init_model  # noqa: E402
from src.masks.multiblock import MaskCollator  # noqa: E402
from src.masks.random import MaskCollator as RandomCollator  # noqa: E402
from src.masks.utils import apply_masks  # noqa: E402
from src.models.vision_transformer import ConvEmbed, get_1d_sincos_pos_embed  # noqa: E402
from src.utils.tensors import repeat_interleave_batch  # noqa: E402
from src.utils.tensors import trunc_normal_  # noqa: E402

CROP, PATCH, BATCH = 32, 8, 4


def build():
    encoder, predictor = init_model(
        device=torch.device("cpu"), patch_size=PATCH, model_name="vit_tiny", crop_size=CROP, pred_depth=2, pred_emb_dim=48
    )
    return encoder, predictor, ConvEmbed([8, 16, 24], [2, 2, 2, 1], img_size=[CROP])


def batch(seed):
    """Pictures with the masks that the collator would make: those of contexts and those of targets."""
    rng = np.random.RandomState(seed)
    images = torch.from_numpy(rng.randn(BATCH, 3, CROP, CROP).astype("float32"))
    context = [torch.from_numpy(np.stack([np.sort(rng.permutation(16)[:7]) for _ in range(BATCH)]))]
    targets = [torch.from_numpy(np.stack([np.sort(rng.permutation(16)[:3]) for _ in range(BATCH)])) for _ in range(2)]
    return [images, torch.zeros(BATCH)], context, targets


def collated(make):
    pictures = [(torch.full((3, CROP, CROP), float(i)), i) for i in range(3)]
    collator = make()
    sizes = []
    for _ in range(2):
        (images, labels), context, targets = collator(pictures)
        both = [*context, *targets]
        sizes.append([images.shape[0], int(labels.sum()), len(context), len(targets)])
        sizes.append([int(all(0 <= int(one.min()) and int(one.max()) < 16 for one in both)), both[0].dim()])
    return sizes


def forward(encoder, predictor, stem):
    for net in (encoder, predictor, stem):
        net.eval()
    (images, _), context, targets = batch(0)
    return {
        "encoded": lambda: encoder(images),
        "context": lambda: encoder(images, context),
        "predicted": lambda: predictor(encoder(images, context), context, targets),
        "one_mask": lambda: encoder(images, context[0]),
        "masked": lambda: apply_masks(images.flatten(2).transpose(1, 2), targets),
        "repeated": lambda: repeat_interleave_batch(torch.arange(8.0).view(8, 1), 2, repeat=3),
        "stem": lambda: stem(images),
        "positions": lambda: get_1d_sincos_pos_embed(8, 5, cls_token=True),
        "collated": lambda: collated(
            lambda: MaskCollator((CROP, CROP), PATCH, (0.85, 1.0), (0.3, 0.35), (0.8, 1.2), 1, 2, 1, True)
        ),
        "collated_random": lambda: collated(lambda: RandomCollator((0.4, 0.6), (CROP, CROP), PATCH)),
    }


class Loader(list):
    def set_epoch(self, epoch):
        self.epoch = epoch


def options(folder, load=False):
    return {
        "meta": dict(
            use_bfloat16=False, model_name="vit_tiny", load_checkpoint=load, read_checkpoint=None, copy_data=False,
            pred_depth=2, pred_emb_dim=48,
        ),
        "data": dict(
            use_gaussian_blur=True, use_horizontal_flip=True, use_color_distortion=True, color_jitter_strength=0.5,
            batch_size=BATCH, pin_mem=False, num_workers=0, root_path=folder, image_folder="none", crop_size=CROP,
            crop_scale=[0.3, 1.0],
        ),
        "mask": dict(
            allow_overlap=False, patch_size=PATCH, num_enc_masks=1, min_keep=1, enc_mask_scale=[0.85, 1.0],
            num_pred_masks=2, pred_mask_scale=[0.3, 0.35], aspect_ratio=[0.75, 1.5],
        ),
        "optimization": dict(
            ema=[0.9, 1.0], ipe_scale=1.0, weight_decay=0.04, final_weight_decay=0.4, epochs=2, warmup=1, start_lr=0.0002,
            lr=0.001, final_lr=1e-6,
        ),
        "logging": dict(folder=folder, write_tag="small"),
    }  # fmt: skip


def train(encoder, predictor, stem):
    folder = "logs"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    loader = Loader([batch(10), batch(11), batch(12)])
    program.init_model = lambda **kwargs: (encoder, predictor)
    program.make_imagenet1k = lambda **kwargs: (None, loader, loader)
    program.main(options(folder))
    with open(os.path.join(folder, "small_r0.csv")) as file:
        rows = list(csv.DictReader(file))
    saved = torch.load(os.path.join(folder, "small-latest.pth.tar"))
    return {
        "losses": [float(row["loss"]) for row in rows],
        "masks": [float(row["mask-A"]) + float(row["mask-B"]) for row in rows],
        "epoch": saved["epoch"],
        "target": saved["target_encoder"]["blocks.3.attn.qkv.weight"],
        "encoder": encoder.blocks[3].attn.qkv.weight,
        "token": predictor.mask_token,
        "bias": saved["predictor"]["predictor_proj.bias"],
    }


def init():
    torch.manual_seed(0)
    encoder, predictor = build()[:2]
    return {
        "fc2": encoder.blocks[5].mlp.fc2.weight,
        "proj": predictor.predictor_blocks[1].attn.proj.weight,
        "trunc": trunc_normal_(torch.empty(50, 40), std=0.5, a=-0.5, b=0.7),
    }
