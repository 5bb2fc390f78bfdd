import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

import engine_pretrain
import models.fcmae as fcmae
import utils
from engine_finetune import evaluate, train_one_epoch
from main_finetune import get_args_parser
from models.convnextv2 import ConvNeXtV2
from optim_factory import LayerDecayValueAssigner, create_optimizer
from timm.data.mixup import Mixup
from timm.loss import LabelSmoothingCrossEntropy, SoftTargetCrossEntropy
from timm.utils import ModelEma
from utils import NativeScalerWithGradNormCount as NativeScaler
from utils import remap_checkpoint_keys

CLASSES, DEPTHS, DIMS = 5, [1, 1, 2, 1], [8, 16, 24, 32]

args = get_args_parser().parse_args(
    ["--batch_size", "4", "--epochs", "3", "--warmup_epochs", "1", "--update_freq", "2", "--lr", "2e-3",
     "--min_lr", "1e-5", "--layer_decay", "0.7", "--opt_betas", "0.9", "0.999", "--nb_classes", str(CLASSES),
     "--auto_resume", "true"]
)  # fmt: skip


class DenseEncoder(nn.Module):
    """Stands for the encoder of MinkowskiEngine: the same stages with the masked patches set to zero."""

    def __init__(self, in_chans, depths, dims, D):
        super().__init__()
        net = ConvNeXtV2(in_chans=in_chans, num_classes=1, depths=depths, dims=dims)
        self.downsample_layers, self.stages = net.downsample_layers, net.stages

    def upsample_mask(self, mask, scale):
        p = int(mask.shape[1] ** 0.5)
        return mask.reshape(-1, p, p).repeat_interleave(scale, axis=1).repeat_interleave(scale, axis=2)

    def forward(self, x, mask):
        mask = self.upsample_mask(mask, 2 ** (len(self.stages) - 1)).unsqueeze(1).type_as(x)
        x = self.downsample_layers[0](x)
        x *= 1.0 - mask
        for i in range(4):
            x = self.downsample_layers[i](x) if i > 0 else x
            x = self.stages[i](x) * (1.0 - F.interpolate(mask, x.shape[-2:]) if i > 0 else 1.0 - mask)
        return x


class NoLayer(nn.Module):
    """Stands for layers that are only asked for."""


class Masked(fcmae.FCMAE):
    """No randomness may decide which patches are seen."""

    def gen_random_mask(self, x, mask_ratio):
        N, L = x.shape[0], (x.shape[2] // self.patch_size) ** 2
        noise = torch.sin(7.0 * torch.arange(N * L, device=x.device)).view(N, L)
        ids_restore = torch.argsort(torch.argsort(noise, dim=1), dim=1)
        mask = torch.ones([N, L], device=x.device)
        mask[:, : int(L * (1 - mask_ratio))] = 0
        return torch.gather(mask, dim=1, index=ids_restore)


fcmae.SparseConvNeXtV2 = DenseEncoder
fcmae.MinkowskiConvolution = fcmae.MinkowskiDepthwiseConvolution = fcmae.MinkowskiLinear = NoLayer


def build():
    classifier = ConvNeXtV2(num_classes=CLASSES, depths=DEPTHS, dims=DIMS, head_init_scale=0.5)
    masked = Masked(
        img_size=64, depths=DEPTHS, dims=DIMS, decoder_embed_dim=16, patch_size=32, norm_pix_loss=True
    )
    return classifier, masked


def init():
    torch.manual_seed(0)
    net = ConvNeXtV2(num_classes=100, depths=DEPTHS, dims=[16, 32, 64, 128])
    masked = Masked(img_size=64, depths=DEPTHS, dims=DIMS, decoder_embed_dim=64)
    return {
        "head": net.head.weight,
        "stem": net.downsample_layers[0][0].weight,
        "pwconv": net.stages[2][0].pwconv1.weight,
        "mask_token": masked.mask_token,
        "pred": masked.pred.weight,
    }


def images(seed, count=4):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, 3, 64, 64).astype("float32"))


def pretrained(seed=3):
    """A checkpoint with the names and layouts that MinkowskiEngine gives its weights."""
    rng, found = np.random.RandomState(seed), {}
    block = "encoder.stages.0.0."
    for name, shape in {
        "dwconv.kernel": (49, 8), "dwconv.bias": (1, 8), "norm.ln.weight": (8,), "norm.ln.bias": (8,),
        "pwconv1.linear.weight": (32, 8), "pwconv1.linear.bias": (32,), "grn.gamma": (1, 32), "grn.beta": (1, 32),
        "pwconv2.linear.weight": (8, 32), "pwconv2.linear.bias": (8,),
    }.items():  # fmt: skip
        found[block + name] = torch.from_numpy((0.1 * rng.randn(*shape)).astype("float32"))
    found["encoder.downsample_layers.1.1.kernel"] = torch.from_numpy(rng.randn(4, 8, 16).astype("float32"))
    found["encoder.unknown.weight"] = torch.zeros(2)
    return found


def finetuned(classifier):
    utils.load_state_dict(classifier, remap_checkpoint_keys(pretrained()), prefix="")
    classifier.eval()
    return classifier


def forward(classifier, masked):
    classifier.eval()
    masked.eval()
    outputs = {
        "logits": classifier(images(0)),
        "features": classifier.forward_features(images(1)),
    }
    loss, pred, mask = masked(images(2), mask_ratio=0.5)
    outputs.update(loss=loss, pred=pred, mask=mask)
    outputs["patches"] = lambda: masked.unpatchify(masked.patchify(images(3)))
    outputs["kernel"] = lambda: remap_checkpoint_keys(pretrained())["downsample_layers.1.1.weight"]
    outputs["finetuned"] = lambda: finetuned(classifier)(images(4))
    return outputs


def loader(seed, count=16):
    targets = torch.from_numpy(np.random.RandomState(seed).randint(0, CLASSES, count).astype("int64"))
    return DataLoader(TensorDataset(images(seed, count), targets), batch_size=4, shuffle=False)


def finetune(model, criterion, mixup_fn, result, name):
    device = torch.device("cpu")
    num_layers = sum(model.depths)
    assigner = LayerDecayValueAssigner(
        list(args.layer_decay ** (num_layers + 1 - i) for i in range(num_layers + 2)), depths=model.depths
    )
    optimizer = create_optimizer(
        args, model, skip_list=None, get_num_layer=assigner.get_layer_id, get_layer_scale=assigner.get_scale
    )
    scaler = NativeScaler()
    ema = ModelEma(model, decay=0.9, device="", resume="")
    args.output_dir, args.resume, args.save_ckpt_num, args.save_ckpt_freq = name, "", 1, 1
    os.makedirs(name, exist_ok=True)
    np.random.seed(1)
    for epoch in range(2):
        stats = train_one_epoch(
            model, criterion, loader(10 + epoch), optimizer, device, epoch, scaler, args.clip_grad, ema, mixup_fn,
            log_writer=None, args=args,
        )  # fmt: skip
        result.update({f"{name}_{key}_{epoch}": value for key, value in stats.items() if "acc" not in key})
        utils.save_model(args, epoch, model, model, optimizer, scaler, ema)
    for key, value in evaluate(loader(20), ema.ema, device).items():
        result[f"{name}_ema_{key}"] = value
    result[name + "_grn"] = model.stages[2][1].grn.gamma.clone()
    result[name + "_head"] = model.head.weight.clone()
    again = ConvNeXtV2(num_classes=CLASSES, depths=DEPTHS, dims=DIMS)
    optimizer = create_optimizer(
        args, again, skip_list=None, get_num_layer=assigner.get_layer_id, get_layer_scale=assigner.get_scale
    )
    utils.auto_load_model(args, again, again, optimizer, scaler)
    train_one_epoch(again, criterion, loader(30), optimizer, device, 2, scaler, mixup_fn=mixup_fn, args=args)
    result[name + "_resumed"] = again.downsample_layers[0][0].weight


def train(classifier, masked):
    result = {}
    args.use_amp = False
    finetune(classifier, LabelSmoothingCrossEntropy(smoothing=0.1), None, result, "plain")
    args.use_amp, args.clip_grad = True, 0.5
    mixup_fn = Mixup(
        mixup_alpha=0.8, cutmix_alpha=1.0, cutmix_minmax=None, prob=1.0, switch_prob=0.5, mode="batch",
        label_smoothing=0.1, num_classes=CLASSES,
    )  # fmt: skip
    finetune(classifier, SoftTargetCrossEntropy(), mixup_fn, result, "mixed")
    args.clip_grad, args.mask_ratio = None, 0.5
    optimizer = torch.optim.AdamW(masked.parameters(), lr=args.lr, betas=(0.9, 0.95))
    scaler = NativeScaler()
    for epoch in range(2):
        data = loader(40 + epoch, 8)
        stats = engine_pretrain.train_one_epoch(
            masked, data, optimizer, torch.device("cpu"), epoch, scaler, args=args
        )
        result[f"pretrain_loss_{epoch}"], result[f"pretrain_lr_{epoch}"] = stats["loss"], stats["lr"]
    result["mask_token"] = masked.mask_token
    result["pred"] = masked.pred.weight
    result["encoder"] = masked.encoder.stages[1][0].dwconv.weight
    return result
