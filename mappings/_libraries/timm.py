"""The parts of timm that this project uses. Arguments, defaults and names of weights are those of timm; what a part
leaves out raises."""

import csv
import logging
import math
import random
import re
import shutil
from copy import deepcopy
from itertools import repeat
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision.datasets as datasets
import torchvision.transforms as transforms

# Module, with those below it -> what it has, in the releases from 0.3 on.
WHERE = {
    "timm": "create_model",
    "timm.data": "IMAGENET_DEFAULT_MEAN IMAGENET_DEFAULT_STD IMAGENET_INCEPTION_MEAN IMAGENET_INCEPTION_STD Mixup"
    " FastCollateMixup create_transform create_dataset Dataset ImageDataset create_loader resolve_data_config",
    "timm.data.mixup": "mixup_target",
    "timm.data.transforms": "_pil_interp str_to_pil_interp str_to_interp_mode ToNumpy ToTensor"
    " RandomResizedCropAndInterpolation",
    "timm.layers": "to_ntuple to_1tuple to_2tuple to_3tuple to_4tuple make_divisible trunc_normal_ lecun_normal_"
    " drop_path DropPath LayerNorm2d Mlp PatchEmbed",
    "timm.loss": "LabelSmoothingCrossEntropy SoftTargetCrossEntropy JsdCrossEntropy BinaryCrossEntropy",
    "timm.models": "register_model model_parameters safe_model_name load_state_dict load_checkpoint resume_checkpoint",
    "timm.models.layers": "to_ntuple to_1tuple to_2tuple to_3tuple to_4tuple make_divisible trunc_normal_"
    " lecun_normal_ drop_path DropPath LayerNorm2d Mlp PatchEmbed",
    "timm.models.vision_transformer": "PatchEmbed Mlp LayerScale Attention Block VisionTransformer DropPath"
    " trunc_normal_ lecun_normal_ _cfg",
    "timm.optim": "param_groups_weight_decay add_weight_decay create_optimizer create_optimizer_v2 optimizer_kwargs",
    "timm.scheduler": "Scheduler StepLRScheduler MultiStepLRScheduler CosineLRScheduler PolyLRScheduler"
    " TanhLRScheduler create_scheduler create_scheduler_v2 scheduler_kwargs",
    "timm.utils": "accuracy AverageMeter dispatch_clip_grad NativeScaler unwrap_model get_state_dict ModelEma"
    " ModelEmaV2 CheckpointSaver get_outdir update_summary setup_default_logging random_seed natural_key add_bool_arg"
    " reduce_tensor distribute_bn",
}

# Parts that are of use only to a project that uses another one.
ONLY_WITH = {"create_model": "register_model"}

IMAGENET_DEFAULT_MEAN = (0.485, 0.456, 0.406)
IMAGENET_DEFAULT_STD = (0.229, 0.224, 0.225)
IMAGENET_INCEPTION_MEAN = (0.5, 0.5, 0.5)
IMAGENET_INCEPTION_STD = (0.5, 0.5, 0.5)


def to_ntuple(n):
    """A function that makes n values of one, and a tuple of several."""

    def made(x):
        return tuple(x) if hasattr(x, "__iter__") and not isinstance(x, str) else tuple(repeat(x, n))

    return made


to_1tuple = to_ntuple(1)
to_2tuple = to_ntuple(2)
to_3tuple = to_ntuple(3)
to_4tuple = to_ntuple(4)


def make_divisible(v, divisor=8, min_value=None, round_limit=0.9):
    """The multiple of the divisor nearest to `v` that is not much smaller."""
    rounded = max(min_value or divisor, int(v + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < round_limit * v else rounded


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """Fill with a normal distribution that is cut at `a` and `b`."""
    return nn.init.trunc_normal_(tensor, mean, std, a, b)


def lecun_normal_(tensor):
    """Fill with a cut normal distribution whose variance is one over the inputs of a unit."""
    inputs = tensor.shape[1] * math.prod(tensor.shape[2:])
    # The deviation of the standard normal distribution between -2 and 2.
    std = math.sqrt(1 / inputs) / 0.87962566103423978
    return nn.init.trunc_normal_(tensor, 0.0, std, -2 * std, 2 * std)


def drop_path(x, drop_prob=0.0, training=False, scale_by_keep=True):
    """Zero whole samples of a residual branch while training."""
    if drop_prob == 0.0 or not training:
        return x
    kept = 1 - drop_prob
    mask = (torch.rand((x.shape[0],) + (1,) * (x.ndim - 1), device=x.device) < kept).to(x.dtype)
    return x * (mask / kept if kept > 0.0 and scale_by_keep else mask)


class DropPath(nn.Module):
    """Stochastic depth, sample by sample."""

    def __init__(self, drop_prob=0.0, scale_by_keep=True):
        super().__init__()
        self.drop_prob = drop_prob
        self.scale_by_keep = scale_by_keep

    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training, self.scale_by_keep)


class LayerNorm2d(nn.LayerNorm):
    """Normalizes images over their channels."""

    def __init__(self, num_channels, eps=1e-6, affine=True):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine)

    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class Mlp(nn.Module):
    """Two linear layers with an activation between them."""

    def __init__(
        self,
        in_features,
        hidden_features=None,
        out_features=None,
        act_layer=nn.GELU,
        norm_layer=None,
        bias=True,
        drop=0.0,
        use_conv=False,
    ):
        super().__init__()
        hidden_features = hidden_features or in_features
        out_features = out_features or in_features
        biases, drops = to_2tuple(bias), to_2tuple(drop)
        if use_conv:
            self.fc1 = nn.Conv2d(in_features, hidden_features, kernel_size=1, bias=biases[0])
        else:
            self.fc1 = nn.Linear(in_features, hidden_features, bias=biases[0])
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        self.norm = norm_layer(hidden_features) if norm_layer is not None else nn.Identity()
        if use_conv:
            self.fc2 = nn.Conv2d(hidden_features, out_features, kernel_size=1, bias=biases[1])
        else:
            self.fc2 = nn.Linear(hidden_features, out_features, bias=biases[1])
        self.drop2 = nn.Dropout(drops[1])

    def forward(self, x):
        x = self.drop1(self.act(self.fc1(x)))
        return self.drop2(self.fc2(self.norm(x)))


class PatchEmbed(nn.Module):
    """Cuts images into patches, each of which becomes a token."""

    def __init__(
        self,
        img_size=224,
        patch_size=16,
        in_chans=3,
        embed_dim=768,
        norm_layer=None,
        flatten=True,
        bias=True,
        strict_img_size=True,
    ):
        super().__init__()
        self.img_size = to_2tuple(img_size)
        self.patch_size = to_2tuple(patch_size)
        self.grid_size = (self.img_size[0] // self.patch_size[0], self.img_size[1] // self.patch_size[1])
        self.num_patches = self.grid_size[0] * self.grid_size[1]
        self.flatten = flatten
        self.strict_img_size = strict_img_size
        self.proj = nn.Conv2d(
            in_chans, embed_dim, kernel_size=self.patch_size, stride=self.patch_size, bias=bias
        )
        self.norm = norm_layer(embed_dim) if norm_layer is not None else nn.Identity()

    def forward(self, x):
        if self.strict_img_size:
            assert tuple(x.shape[2:]) == self.img_size, f"images of {tuple(x.shape[2:])}, not {self.img_size}"
        x = self.proj(x)
        if self.flatten:
            x = x.flatten(2).transpose(1, 2)
        return self.norm(x)


class LayerScale(nn.Module):
    """Multiplies each channel by a weight of its own."""

    def __init__(self, dim, init_values=1e-5, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(init_values * torch.ones(dim))

    def forward(self, x):
        return x * self.gamma


class Attention(nn.Module):
    """Self-attention with one linear layer for queries, keys and values."""

    def __init__(
        self,
        dim,
        num_heads=8,
        qkv_bias=False,
        qk_scale=None,
        attn_drop=0.0,
        proj_drop=0.0,
        qk_norm=False,
        proj_bias=True,
        norm_layer=nn.LayerNorm,
    ):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scale = qk_scale or self.head_dim**-0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.q_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.k_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.attn_drop = nn.Dropout(attn_drop)
        self.proj = nn.Linear(dim, dim, bias=proj_bias)
        self.proj_drop = nn.Dropout(proj_drop)

    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (self.q_norm(q) * self.scale) @ self.k_norm(k).transpose(-2, -1)
        attn = self.attn_drop(attn.softmax(dim=-1))
        x = (attn @ v).transpose(1, 2).reshape(B, N, C)
        return self.proj_drop(self.proj(x))


class Block(nn.Module):
    """A layer of a vision transformer."""

    def __init__(
        self,
        dim,
        num_heads,
        mlp_ratio=4.0,
        qkv_bias=False,
        qk_scale=None,
        drop=0.0,
        attn_drop=0.0,
        drop_path=0.0,
        act_layer=nn.GELU,
        norm_layer=nn.LayerNorm,
        init_values=None,
        qk_norm=False,
        proj_drop=None,
    ):
        super().__init__()
        drop = drop if proj_drop is None else proj_drop
        self.norm1 = norm_layer(dim)
        self.attn = Attention(
            dim,
            num_heads=num_heads,
            qkv_bias=qkv_bias,
            qk_scale=qk_scale,
            attn_drop=attn_drop,
            proj_drop=drop,
            qk_norm=qk_norm,
            norm_layer=norm_layer,
        )
        self.ls1 = LayerScale(dim, init_values) if init_values else nn.Identity()
        self.drop_path1 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()
        self.norm2 = norm_layer(dim)
        self.mlp = Mlp(dim, int(dim * mlp_ratio), act_layer=act_layer, drop=drop)
        self.ls2 = LayerScale(dim, init_values) if init_values else nn.Identity()
        self.drop_path2 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()

    def forward(self, x):
        x = x + self.drop_path1(self.ls1(self.attn(self.norm1(x))))
        return x + self.drop_path2(self.ls2(self.mlp(self.norm2(x))))


class VisionTransformer(nn.Module):
    """A vision transformer with a class token."""

    def __init__(
        self,
        img_size=224,
        patch_size=16,
        in_chans=3,
        num_classes=1000,
        embed_dim=768,
        depth=12,
        num_heads=12,
        mlp_ratio=4.0,
        qkv_bias=True,
        qk_scale=None,
        drop_rate=0.0,
        attn_drop_rate=0.0,
        drop_path_rate=0.0,
        norm_layer=None,
        act_layer=None,
        global_pool="token",
        **kwargs,
    ):
        super().__init__()
        norm_layer = norm_layer or _layer_norm
        act_layer = act_layer or nn.GELU
        self.num_classes = num_classes
        self.num_features = self.embed_dim = embed_dim
        self.global_pool = global_pool
        self.num_tokens = self.num_prefix_tokens = 1
        self.patch_embed = PatchEmbed(img_size, patch_size, in_chans, embed_dim)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, embed_dim))
        self.pos_embed = nn.Parameter(torch.zeros(1, self.patch_embed.num_patches + 1, embed_dim))
        self.pos_drop = nn.Dropout(p=drop_rate)
        rates = [rate.item() for rate in torch.linspace(0, drop_path_rate, depth)]
        self.blocks = nn.Sequential(
            *[
                Block(
                    embed_dim,
                    num_heads,
                    mlp_ratio=mlp_ratio,
                    qkv_bias=qkv_bias,
                    qk_scale=qk_scale,
                    drop=drop_rate,
                    attn_drop=attn_drop_rate,
                    drop_path=rates[i],
                    act_layer=act_layer,
                    norm_layer=norm_layer,
                )
                for i in range(depth)
            ]
        )
        self.norm = norm_layer(embed_dim)
        self.head = nn.Linear(embed_dim, num_classes) if num_classes > 0 else nn.Identity()
        trunc_normal_(self.pos_embed, std=0.02)
        nn.init.normal_(self.cls_token, std=1e-6)
        self.apply(self._init_weights)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            trunc_normal_(m.weight, std=0.02)
            if m.bias is not None:
                nn.init.zeros_(m.bias)
        elif isinstance(m, nn.LayerNorm):
            nn.init.zeros_(m.bias)
            nn.init.ones_(m.weight)

    def no_weight_decay(self):
        return {"pos_embed", "cls_token", "dist_token"}

    def get_classifier(self):
        return self.head

    def reset_classifier(self, num_classes, global_pool=None):
        self.num_classes = num_classes
        self.head = nn.Linear(self.embed_dim, num_classes) if num_classes > 0 else nn.Identity()

    def forward_features(self, x):
        x = self.patch_embed(x)
        x = torch.cat((self.cls_token.expand(x.shape[0], -1, -1), x), dim=1)
        return self.norm(self.blocks(self.pos_drop(x + self.pos_embed)))

    def forward_head(self, x):
        x = x[:, 1:].mean(dim=1) if self.global_pool == "avg" else x[:, 0]
        return self.head(x)

    def forward(self, x):
        return self.forward_head(self.forward_features(x))


def _layer_norm(features):
    return nn.LayerNorm(features, eps=1e-6)


def _cfg(url="", **kwargs):
    """What is known of the weights of a model."""
    return {
        "url": url,
        "num_classes": 1000,
        "input_size": (3, 224, 224),
        "pool_size": None,
        "crop_pct": 0.9,
        "interpolation": "bicubic",
        "mean": IMAGENET_INCEPTION_MEAN,
        "std": IMAGENET_INCEPTION_STD,
        "first_conv": "patch_embed.proj",
        "classifier": "head",
        **kwargs,
    }


_MODELS = {}


def register_model(fn):
    """Have `create_model` know a function by its name."""
    _MODELS[fn.__name__] = fn
    return fn


def create_model(model_name, pretrained=False, **kwargs):
    """The model that a registered function of that name makes; arguments that are None are left out."""
    if model_name not in _MODELS:
        raise RuntimeError(f"no model {model_name} was registered; timm's own are not part of this port")
    return _MODELS[model_name](
        pretrained=pretrained, **{name: value for name, value in kwargs.items() if value is not None}
    )


class LabelSmoothingCrossEntropy(nn.Module):
    """Cross entropy with a part of the probability spread over all classes."""

    def __init__(self, smoothing=0.1):
        super().__init__()
        self.smoothing = smoothing
        self.confidence = 1.0 - smoothing

    def forward(self, x, target):
        logprobs = F.log_softmax(x, dim=-1)
        nll_loss = -logprobs.gather(dim=-1, index=target.unsqueeze(1)).squeeze(1)
        return (self.confidence * nll_loss - self.smoothing * logprobs.mean(dim=-1)).mean()


class SoftTargetCrossEntropy(nn.Module):
    """Cross entropy with probabilities as targets."""

    def __init__(self):
        super().__init__()

    def forward(self, x, target):
        return torch.sum(-target * F.log_softmax(x, dim=-1), dim=-1).mean()


class JsdCrossEntropy(nn.Module):
    """Cross entropy of the first of several views of a batch, and how far the views are from agreeing."""

    def __init__(self, num_splits=3, alpha=12, smoothing=0.1):
        super().__init__()
        self.num_splits = num_splits
        self.alpha = alpha
        self.cross_entropy_loss = (
            LabelSmoothingCrossEntropy(smoothing) if smoothing else nn.CrossEntropyLoss()
        )

    def forward(self, output, target):
        size = output.shape[0] // self.num_splits
        assert size * self.num_splits == output.shape[0]
        views = torch.split(output, size)
        loss = self.cross_entropy_loss(views[0], target[:size])
        shares = [F.softmax(view, dim=1) for view in views]
        mixture = torch.clamp(torch.stack(shares).mean(dim=0), 1e-7, 1).log()
        apart = sum(F.kl_div(mixture, share, reduction="batchmean") for share in shares)
        return loss + self.alpha * apart / len(shares)


class BinaryCrossEntropy(nn.Module):
    """Binary cross entropy of each class, with whole numbers or probabilities as targets."""

    def __init__(self, smoothing=0.1, target_threshold=None, weight=None, reduction="mean", pos_weight=None):
        super().__init__()
        self.smoothing = smoothing
        self.target_threshold = target_threshold
        self.reduction = reduction
        self.weight = weight
        self.pos_weight = pos_weight

    def forward(self, x, target):
        if target.shape != x.shape:
            off = self.smoothing / x.shape[-1]
            chosen = F.one_hot(target.long().reshape(-1), x.shape[-1]).to(x.dtype)
            target = chosen * (1.0 - self.smoothing) + off
        if self.target_threshold is not None:
            target = target.gt(self.target_threshold).to(x.dtype)
        return F.binary_cross_entropy_with_logits(
            x, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


def mixup_target(target, num_classes, lam=1.0, smoothing=0.0):
    """Smoothed one-hot targets, mixed with those of the batch in reverse order."""
    off = smoothing / num_classes
    on = 1.0 - smoothing + off
    y1 = F.one_hot(target.long(), num_classes).float() * (on - off) + off
    return y1 * lam + y1.flip(0) * (1.0 - lam)


class Mixup:
    """Mixes images of a batch with those in reverse order, or pastes a piece of these: with one ratio for the batch,
    for each pair, or for each image."""

    def __init__(
        self,
        mixup_alpha=1.0,
        cutmix_alpha=0.0,
        cutmix_minmax=None,
        prob=1.0,
        switch_prob=0.5,
        mode="batch",
        correct_lam=True,
        label_smoothing=0.1,
        num_classes=1000,
    ):
        self.mixup_alpha = mixup_alpha
        self.cutmix_alpha = 1.0 if cutmix_minmax is not None else cutmix_alpha
        self.cutmix_minmax = cutmix_minmax
        self.mix_prob = prob
        self.switch_prob = switch_prob
        self.mode = mode
        self.label_smoothing = label_smoothing
        self.num_classes = num_classes
        self.correct_lam = correct_lam
        self.mixup_enabled = True

    def _drawn(self):
        """The ratio for a batch, and whether a piece is pasted."""
        if not self.mixup_enabled or np.random.rand() >= self.mix_prob:
            return 1.0, False
        if self.mixup_alpha > 0.0 and self.cutmix_alpha > 0.0:
            pastes = np.random.rand() < self.switch_prob
        else:
            pastes = self.cutmix_alpha > 0.0
        alpha = self.cutmix_alpha if pastes else self.mixup_alpha
        return float(np.random.beta(alpha, alpha)), bool(pastes)

    def _drawn_each(self, count):
        """The ratios for some images, and whether a piece is pasted into each."""
        lams, pastes = np.ones(count, dtype=np.float32), np.zeros(count, dtype=bool)
        if not self.mixup_enabled:
            return lams, pastes
        if self.mixup_alpha > 0.0 and self.cutmix_alpha > 0.0:
            pastes = np.random.rand(count) < self.switch_prob
            pasted = np.random.beta(self.cutmix_alpha, self.cutmix_alpha, size=count)
            drawn = np.where(pastes, pasted, np.random.beta(self.mixup_alpha, self.mixup_alpha, size=count))
        else:
            pastes = np.full(count, self.cutmix_alpha > 0.0)
            alpha = self.mixup_alpha if self.mixup_alpha > 0.0 else self.cutmix_alpha
            drawn = np.random.beta(alpha, alpha, size=count)
        return np.where(np.random.rand(count) < self.mix_prob, drawn.astype(np.float32), lams), pastes

    def _box(self, height, width, lam):
        """Top, bottom, left and right of the piece."""
        if self.cutmix_minmax is not None:
            low, high = self.cutmix_minmax
            tall = np.random.randint(int(height * low), int(height * high))
            wide = np.random.randint(int(width * low), int(width * high))
            top, left = np.random.randint(0, height - tall + 1), np.random.randint(0, width - wide + 1)
            return top, top + tall, left, left + wide
        ratio = np.sqrt(1 - lam)
        tall, wide = int(height * ratio), int(width * ratio)
        y, x = np.random.randint(0, height), np.random.randint(0, width)
        return (
            max(y - tall // 2, 0),
            min(y + (tall + 1) // 2, height),
            max(x - wide // 2, 0),
            min(x + (wide + 1) // 2, width),
        )

    def _mixed(self, x, other, lam, pastes):
        """Images with others of their shape, and the ratio that there is then."""
        if lam == 1.0:
            return x, 1.0
        if not pastes:
            return x * float(lam) + other * float(1.0 - lam), float(lam)
        height, width = x.shape[-2], x.shape[-1]
        top, bottom, left, right = self._box(height, width, lam)
        if self.correct_lam or self.cutmix_minmax is not None:
            lam = 1.0 - (bottom - top) * (right - left) / float(height * width)
        mixed = x.clone()
        mixed[..., top:bottom, left:right] = other[..., top:bottom, left:right]
        return mixed, float(lam)

    def _each(self, x):
        """The images of a batch, each mixed by itself or with its partner, and their ratios as a column."""
        partners = torch.flip(x, (0,))
        count = len(x) if self.mode == "elem" else len(x) // 2
        lams, pastes = self._drawn_each(count)
        first, second, ratios = [], [], []
        for i in range(count):
            if self.mode == "elem":
                mixed, lam = self._mixed(x[i], partners[i], lams[i], pastes[i])
                first.append(mixed)
            else:
                pair = torch.stack([x[i], partners[i]])
                mixed, lam = self._mixed(pair, torch.flip(pair, (0,)), lams[i], pastes[i])
                first.append(mixed[0])
                second.insert(0, mixed[1])
            ratios.append(lam)
        if self.mode == "pair":
            ratios = ratios + ratios[::-1]
        return torch.stack(first + second), torch.tensor(ratios, dtype=x.dtype, device=x.device).unsqueeze(1)

    def __call__(self, x, target):
        assert len(x) % 2 == 0, "Batch size should be even when using this"
        if self.mode in ("elem", "pair"):
            x, lam = self._each(x)
        else:
            lam, pastes = self._drawn()
            x, lam = self._mixed(x, torch.flip(x, (0,)), lam, pastes)
        return x, mixup_target(target, self.num_classes, lam, self.label_smoothing)


class FastCollateMixup(Mixup):
    """Mixup of the images that a loader puts together."""

    def __call__(self, batch, _=None):
        if self.mode != "batch":
            raise NotImplementedError(f"FastCollateMixup has no mode {self.mode!r} here, only 'batch'")
        images, targets = torch.utils.data.default_collate(batch)
        return super().__call__(images, targets)


def str_to_interp_mode(mode_str):
    """How pixels are weighed, by its name; bicubic where chance decides."""
    if mode_str in ("random", "bicubic"):
        return transforms.InterpolationMode.BICUBIC
    if mode_str == "nearest":
        return transforms.InterpolationMode.NEAREST
    if mode_str == "lanczos":
        return transforms.InterpolationMode.LANCZOS
    return transforms.InterpolationMode.BILINEAR


def str_to_pil_interp(mode_str):
    """What `str_to_interp_mode` was called once."""
    return str_to_interp_mode(mode_str)


def _pil_interp(method):
    """What `str_to_interp_mode` was called first."""
    return str_to_interp_mode(method)


class ToNumpy:
    """Makes arrays of images, with the channels first."""

    def __call__(self, pil_img):
        array = np.array(pil_img, dtype=np.uint8)
        return np.moveaxis(array[..., None] if array.ndim < 3 else array, 2, 0)


class ToTensor:
    """Makes tensors of images, with the channels first and the values as they are."""

    def __init__(self, dtype=torch.float32):
        self.dtype = dtype

    def __call__(self, pil_img):
        return torch.from_numpy(ToNumpy()(pil_img)).to(dtype=self.dtype)


def RandomResizedCropAndInterpolation(
    size, scale=(0.08, 1.0), ratio=(3 / 4, 4 / 3), interpolation="bilinear"
):
    """A random piece of an image, resized."""
    mode = str_to_interp_mode(interpolation)
    return transforms.RandomResizedCrop(size, scale=scale, ratio=ratio, interpolation=mode)


def create_transform(
    input_size,
    is_training=False,
    use_prefetcher=False,
    no_aug=False,
    scale=None,
    ratio=None,
    hflip=0.5,
    vflip=0.0,
    color_jitter=0.4,
    auto_augment=None,
    interpolation="bilinear",
    mean=IMAGENET_DEFAULT_MEAN,
    std=IMAGENET_DEFAULT_STD,
    re_prob=0.0,
    re_mode="const",
    re_count=1,
    re_num_splits=0,
    crop_pct=None,
    **kwargs,
):
    """What is done to images for training, or for an evaluation. Policies of augmentation are torchvision's."""
    height, width = to_2tuple(input_size[-2:] if isinstance(input_size, (tuple, list)) else input_size)
    mode = str_to_interp_mode(interpolation)
    if is_training and not no_aug:
        steps = [
            transforms.RandomResizedCrop(
                (height, width),
                scale=tuple(scale or (0.08, 1.0)),
                ratio=tuple(ratio or (3.0 / 4.0, 4.0 / 3.0)),
                interpolation=mode,
            )
        ]
        if hflip > 0.0:
            steps.append(transforms.RandomHorizontalFlip(p=hflip))
        if vflip > 0.0:
            steps.append(transforms.RandomVerticalFlip(p=vflip))
        if auto_augment:
            steps.append(
                transforms.RandAugment() if auto_augment.startswith("rand") else transforms.AutoAugment()
            )
        elif color_jitter is not None:
            jitter = color_jitter if isinstance(color_jitter, (tuple, list)) else (float(color_jitter),) * 3
            steps.append(transforms.ColorJitter(*jitter))
    elif is_training:
        steps = [transforms.Resize(height, interpolation=mode), transforms.CenterCrop((height, width))]
    else:
        shorter = math.floor(height / (crop_pct or 0.875))
        steps = [transforms.Resize(shorter, interpolation=mode), transforms.CenterCrop((height, width))]
    steps += [transforms.ToTensor(), transforms.Normalize(mean=mean, std=std)]
    if is_training and re_prob > 0.0:
        steps.append(transforms.RandomErasing(p=re_prob, value="random" if re_mode == "pixel" else 0))
    return transforms.Compose(steps)


_FOLDERS = {"train": ("train", "training"), "validation": ("val", "validation", "valid", "eval", "test")}


class ImageDataset(datasets.ImageFolder):
    """Images in a folder for each class."""

    def __init__(self, root, transform=None, **kwargs):
        super().__init__(root, transform=transform)


class Dataset(ImageDataset):
    """What `ImageDataset` was called once."""


def create_dataset(name, root, split="validation", **kwargs):
    """The images below a folder, or in the one of a split there."""
    if name not in ("", "folder", "image_folder", None):
        raise NotImplementedError(f"create_dataset has no {name!r} here, only folders of images")
    split = "validation" if split.startswith("val") else split
    for folder in _FOLDERS.get(split, (split,)):
        if (Path(root) / folder).is_dir():
            return ImageDataset(str(Path(root) / folder))
    return ImageDataset(root)


def create_loader(
    dataset,
    input_size,
    batch_size,
    is_training=False,
    use_prefetcher=True,
    no_aug=False,
    num_workers=1,
    distributed=False,
    collate_fn=None,
    pin_memory=False,
    num_aug_splits=0,
    **kwargs,
):
    """Batches of images as `create_transform` has them; `dataset` is changed. They are not prefetched."""
    if distributed or num_aug_splits:
        raise NotImplementedError("create_loader has no distributed sampling and no splits here")
    dataset.transform = create_transform(input_size, is_training=is_training, no_aug=no_aug, **kwargs)
    loader = torch.utils.data.DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=is_training,
        num_workers=num_workers,
        collate_fn=collate_fn,
        pin_memory=pin_memory,
        drop_last=is_training,
    )
    return _Loader(loader, collate_fn) if use_prefetcher else loader


class _Loader:
    """A loader whose mixing can be switched off."""

    def __init__(self, loader, mixing):
        self.loader = loader
        self.mixing = mixing

    def __iter__(self):
        return iter(self.loader)

    def __len__(self):
        return len(self.loader)

    @property
    def sampler(self):
        return self.loader.sampler

    @property
    def dataset(self):
        return self.loader.dataset

    @property
    def mixup_enabled(self):
        return self.mixing.mixup_enabled if self.mixing is not None else False

    @mixup_enabled.setter
    def mixup_enabled(self, value):
        if self.mixing is not None:
            self.mixing.mixup_enabled = value


def resolve_data_config(
    args=None, default_cfg=None, model=None, use_test_size=False, verbose=False, **kwargs
):
    """What images have to be like: as `args` say, else as the model's weights were made with."""
    args = args or {}
    known = default_cfg or kwargs.get("pretrained_cfg") or getattr(model, "default_cfg", None) or {}

    def said(name, usual):
        return args.get(name) or known.get(name) or usual

    channels = args.get("in_chans") or args.get("chans") or 3
    size = known.get("test_input_size" if use_test_size and "test_input_size" in known else "input_size")
    if args.get("input_size") is not None:
        size = args["input_size"]
    elif args.get("img_size") is not None:
        size = (channels, args["img_size"], args["img_size"])
    config = {
        "input_size": tuple(size or (channels, 224, 224)),
        "interpolation": said("interpolation", "bicubic"),
        "mean": tuple(said("mean", IMAGENET_DEFAULT_MEAN)),
        "std": tuple(said("std", IMAGENET_DEFAULT_STD)),
        "crop_pct": said("crop_pct", 0.875),
    }
    for name in ("mean", "std"):
        config[name] = config[name] * config["input_size"][0] if len(config[name]) == 1 else config[name]
    if verbose:
        for name, value in config.items():
            logging.getLogger(__name__).info("\t%s: %s", name, value)
    return config


def accuracy(output, target, topk=(1,)):
    """How many per cent of the targets are among the k highest outputs, for each k."""
    most = min(max(topk), output.shape[1])
    found = output.topk(most, 1, True, True)[1].t()
    correct = found.eq(target.reshape(1, -1).expand_as(found))
    return [correct[: min(k, most)].reshape(-1).float().sum(0) * 100.0 / target.shape[0] for k in topk]


class AverageMeter:
    """The last value, the sum and the average."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def natural_key(string_):
    """A key that sorts the numbers in texts as numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", string_.lower())]


def add_bool_arg(parser, name, default=False, help=""):
    """Two options, `--name` and `--no-name`, for one setting."""
    place = name.replace("-", "_")
    group = parser.add_mutually_exclusive_group(required=False)
    group.add_argument(f"--{name}", dest=place, action="store_true", help=help)
    group.add_argument(f"--no-{name}", dest=place, action="store_false", help=help)
    parser.set_defaults(**{place: default})


def random_seed(seed=42, rank=0):
    """Seed all that draws numbers, otherwise for each process."""
    torch.manual_seed(seed + rank)
    np.random.seed(seed + rank)
    random.seed(seed + rank)


def setup_default_logging(default_level=logging.INFO, log_path=""):
    """Log to the terminal, and into a file where one is named."""
    handlers = [logging.StreamHandler(), *([logging.FileHandler(log_path)] if log_path else [])]
    for handler in handlers:
        logging.root.addHandler(handler)
    logging.root.setLevel(default_level)


def get_outdir(path, *paths, inc=False):
    """Make a folder; with `inc` one that is not there yet."""
    wanted = Path(path, *paths)
    made, number = wanted, 0
    while inc and made.exists():
        number += 1
        made = Path(f"{wanted}-{number}")
    made.mkdir(parents=True, exist_ok=True)
    return str(made)


def update_summary(
    epoch, train_metrics, eval_metrics, filename, lr=None, write_header=False, log_wandb=False, **kwargs
):
    """Add a line with the metrics of an epoch to a table."""
    row = {"epoch": epoch, **{f"train_{name}": value for name, value in train_metrics.items()}}
    row.update({f"eval_{name}": value for name, value in (eval_metrics or {}).items()})
    if lr is not None:
        row["lr"] = lr
    if log_wandb:
        raise NotImplementedError("update_summary does not log to wandb here")
    with Path(filename).open("a") as file:
        writer = csv.DictWriter(file, fieldnames=list(row))
        if write_header:
            writer.writeheader()
        writer.writerow(row)


def reduce_tensor(tensor, n):
    """The mean over n processes."""
    total = tensor.clone()
    torch.distributed.all_reduce(total)
    return total / n


def distribute_bn(model, world_size, reduce=False):
    """Give all processes the statistics of the first one, or their mean."""
    for name, statistic in unwrap_model(model).named_buffers():
        if "running_mean" in name or "running_var" in name:
            if reduce:
                torch.distributed.all_reduce(statistic)
                statistic /= float(world_size)
            else:
                torch.distributed.broadcast(statistic, 0)


def dispatch_clip_grad(parameters, value, mode="norm", norm_type=2.0):
    """Clip gradients by their norm or by value."""
    if mode == "norm":
        torch.nn.utils.clip_grad_norm_(parameters, value, norm_type=norm_type)
    elif mode == "value":
        torch.nn.utils.clip_grad_value_(parameters, value)
    else:
        raise NotImplementedError(f"no clipping by {mode!r} here")


class NativeScaler:
    """A training step with a scaled loss."""

    state_dict_key = "amp_scaler"

    def __init__(self):
        self._scaler = torch.cuda.amp.GradScaler()

    def __call__(
        self,
        loss,
        optimizer,
        clip_grad=None,
        clip_mode="norm",
        parameters=None,
        create_graph=False,
        need_update=True,
    ):
        self._scaler.scale(loss).backward(create_graph=create_graph)
        if need_update:
            if clip_grad is not None:
                self._scaler.unscale_(optimizer)
                dispatch_clip_grad(parameters, clip_grad, mode=clip_mode)
            self._scaler.step(optimizer)
            self._scaler.update()

    def state_dict(self):
        return self._scaler.state_dict()

    def load_state_dict(self, state_dict):
        self._scaler.load_state_dict(state_dict)


def unwrap_model(model):
    """The network in an average, or in a wrapper for several devices."""
    if isinstance(model, ModelEma):
        return unwrap_model(model.ema)
    return model.module if hasattr(model, "module") else model


def get_state_dict(model, unwrap_fn=unwrap_model):
    """The weights of the network in whatever is around it."""
    return unwrap_fn(model).state_dict()


class ModelEma:
    """A copy of a network with the moving average of its weights."""

    def __init__(self, model, decay=0.9999, device="", resume=""):
        self.ema = deepcopy(model)
        self.ema.eval()
        self.decay = decay
        self.device = device
        for p in self.ema.parameters():
            p.requires_grad_(False)
        if resume:
            self._load_checkpoint(resume)

    def _load_checkpoint(self, checkpoint_path):
        """What was saved as `state_dict_ema`, by a path or from an open file; anything else is passed over."""
        checkpoint = torch.load(checkpoint_path, map_location="cpu", weights_only=False)
        if "state_dict_ema" in checkpoint:
            state = checkpoint["state_dict_ema"]
            self.ema.load_state_dict({name.removeprefix("module."): value for name, value in state.items()})

    def update(self, model):
        with torch.no_grad():
            weights = model.state_dict()
            for name, average in self.ema.state_dict().items():
                average.copy_(average * self.decay + (1.0 - self.decay) * weights[name].detach())


class ModelEmaV2(nn.Module):
    """A copy of a network with the moving average of its weights, as a module."""

    def __init__(self, model, decay=0.9999, device=None):
        super().__init__()
        self.module = deepcopy(model)
        self.module.eval()
        self.decay = decay
        self.device = device

    def update(self, model):
        with torch.no_grad():
            weights = model.state_dict()
            for name, average in self.module.state_dict().items():
                average.copy_(self.decay * average + (1.0 - self.decay) * weights[name])

    def set(self, model):
        with torch.no_grad():
            weights = model.state_dict()
            for name, average in self.module.state_dict().items():
                average.copy_(weights[name])


class CheckpointSaver:
    """Keeps the state of a training: the last one, the best one, and the best few with their epochs."""

    def __init__(
        self,
        model,
        optimizer,
        args=None,
        model_ema=None,
        amp_scaler=None,
        checkpoint_prefix="checkpoint",
        recovery_prefix="recovery",
        checkpoint_dir="",
        recovery_dir="",
        decreasing=False,
        max_history=10,
        unwrap_fn=unwrap_model,
    ):
        self.model = model
        self.optimizer = optimizer
        self.args = args
        self.model_ema = model_ema
        self.amp_scaler = amp_scaler
        self.save_prefix = checkpoint_prefix
        self.recovery_prefix = recovery_prefix
        self.checkpoint_dir = checkpoint_dir
        self.recovery_dir = recovery_dir
        self.decreasing = decreasing
        self.max_history = max_history
        self.unwrap_fn = unwrap_fn
        self.checkpoint_files = []  # of paths and metrics, the best one first
        self.best_epoch = None
        self.best_metric = None
        self.last_recovery_file = ""

    def _save(self, path, epoch, metric=None):
        state = {
            "epoch": epoch,
            "arch": getattr(self.args, "model", type(self.model).__name__.lower()),
            "state_dict": get_state_dict(self.model, self.unwrap_fn),
            "optimizer": self.optimizer.state_dict(),
            "version": 2,
        }
        if self.args is not None:
            state["args"] = self.args
        if self.amp_scaler is not None:
            state[self.amp_scaler.state_dict_key] = self.amp_scaler.state_dict()
        if self.model_ema is not None:
            state["state_dict_ema"] = get_state_dict(self.model_ema, self.unwrap_fn)
        if metric is not None:
            state["metric"] = metric
        torch.save(state, path)

    def _is_better(self, metric, other):
        return metric < other if self.decreasing else metric > other

    def save_checkpoint(self, epoch, metric=None):
        """Keep the state after an epoch. Gives the best metric and its epoch."""
        folder = Path(self.checkpoint_dir)
        last = str(folder / "last.pth.tar")
        self._save(last, epoch, metric)
        kept = self.checkpoint_files
        is_full = len(kept) >= self.max_history
        if not is_full or metric is None or kept[-1][1] is None or self._is_better(metric, kept[-1][1]):
            if is_full:
                Path(kept.pop()[0]).unlink()
            path = str(folder / f"{self.save_prefix}-{epoch}.pth.tar")
            shutil.copy2(last, path)
            kept.append((path, metric))
            if metric is not None:
                kept.sort(key=lambda one: one[1], reverse=not self.decreasing)
                if self.best_metric is None or self._is_better(metric, self.best_metric):
                    self.best_epoch, self.best_metric = epoch, metric
                    shutil.copy2(last, folder / "model_best.pth.tar")
        return (None, None) if self.best_metric is None else (self.best_metric, self.best_epoch)

    def save_recovery(self, epoch, batch_idx=0):
        """Keep the state in an epoch, in place of the one before."""
        path = str(Path(self.recovery_dir) / f"{self.recovery_prefix}-{epoch}-{batch_idx}.pth.tar")
        self._save(path, epoch)
        if self.last_recovery_file and self.last_recovery_file != path:
            Path(self.last_recovery_file).unlink()
        self.last_recovery_file = path

    def find_recovery(self):
        """The path of the last one of these states; empty where there is none."""
        found = [str(one) for one in Path(self.recovery_dir).glob(f"{self.recovery_prefix}*")]
        return max(found, key=natural_key, default="")


def model_parameters(model, exclude_head=False):
    """All parameters, or all but the last two."""
    return list(model.parameters())[:-2] if exclude_head else model.parameters()


def safe_model_name(model_name, remove_source=True):
    """A name that a file can have."""
    name = model_name.split(":")[-1] if remove_source else model_name
    return "".join(one if one.isalnum() else "_" for one in name).rstrip("_")


def load_state_dict(checkpoint_path, use_ema=True, **kwargs):
    """The weights in a file: the averaged ones, where there are any and they are asked for."""
    checkpoint = torch.load(checkpoint_path, map_location="cpu", weights_only=False)
    names = ("state_dict_ema", "model_ema") if use_ema else ()
    for name in (*names, "state_dict", "model"):
        if name in checkpoint:
            checkpoint = checkpoint[name]
            break
    return {name[7:] if name.startswith("module.") else name: value for name, value in checkpoint.items()}


def load_checkpoint(model, checkpoint_path, use_ema=True, strict=True, **kwargs):
    """Load the weights in a file into a model."""
    return model.load_state_dict(load_state_dict(checkpoint_path, use_ema), strict=strict)


def resume_checkpoint(model, checkpoint_path, optimizer=None, loss_scaler=None, log_info=True, **kwargs):
    """Go on where a training was kept. Gives the next epoch, if the file tells it."""
    checkpoint = torch.load(checkpoint_path, map_location="cpu", weights_only=False)
    model.load_state_dict(load_state_dict(checkpoint_path, use_ema=False))
    if "state_dict" not in checkpoint:
        return None
    if optimizer is not None and "optimizer" in checkpoint:
        optimizer.load_state_dict(checkpoint["optimizer"])
    if loss_scaler is not None and loss_scaler.state_dict_key in checkpoint:
        loss_scaler.load_state_dict(checkpoint[loss_scaler.state_dict_key])
    if "epoch" not in checkpoint:
        return None
    return checkpoint["epoch"] + (1 if checkpoint.get("version", 1) > 1 else 0)


def param_groups_weight_decay(model, weight_decay=1e-5, no_weight_decay_list=()):
    """Two groups of parameters: biases and scales without decay, the others with it."""
    decay, no_decay = [], []
    for name, param in model.named_parameters():
        if not param.requires_grad:
            continue
        if len(param.shape) <= 1 or name.endswith(".bias") or name in no_weight_decay_list:
            no_decay.append(param)
        else:
            decay.append(param)
    return [{"params": no_decay, "weight_decay": 0.0}, {"params": decay, "weight_decay": weight_decay}]


def add_weight_decay(model, weight_decay=1e-5, skip_list=()):
    """What `param_groups_weight_decay` was called once."""
    return param_groups_weight_decay(model, weight_decay, skip_list)


def optimizer_kwargs(cfg):
    """The arguments of `create_optimizer_v2` that settings have."""
    found = {"opt": cfg.opt, "lr": cfg.lr, "weight_decay": cfg.weight_decay, "momentum": cfg.momentum}
    for name in ("eps", "betas"):
        value = getattr(cfg, f"opt_{name}", None)
        if value is not None:
            found[name] = value
    return {**found, **(getattr(cfg, "opt_args", None) or {})}


def create_optimizer_v2(
    model_or_params, opt="sgd", lr=None, weight_decay=0.0, momentum=0.9, filter_bias_and_bn=True, **kwargs
):
    """An optimizer by its name, of the parameters of a model, or of given ones."""
    name = opt.lower()
    if not isinstance(model_or_params, nn.Module):
        parameters = model_or_params
    elif weight_decay and filter_bias_and_bn:
        model = model_or_params
        skipped = model.no_weight_decay() if hasattr(model, "no_weight_decay") else ()
        parameters, weight_decay = param_groups_weight_decay(model, weight_decay, skipped), 0.0
    else:
        parameters = [p for p in model_or_params.parameters() if p.requires_grad]
    unknown = {one for one in kwargs if one not in ("eps", "betas")}
    if unknown:
        raise NotImplementedError(f"create_optimizer_v2 has no {', '.join(sorted(unknown))} here")
    lr = (1e-3 if name.startswith("adam") else 0.1) if lr is None else lr
    eps, betas = kwargs.get("eps", 1e-8), tuple(kwargs.get("betas", (0.9, 0.999)))
    if name in ("sgd", "nesterov"):
        return torch.optim.SGD(parameters, lr=lr, momentum=momentum, weight_decay=weight_decay, nesterov=True)
    if name == "momentum":
        return torch.optim.SGD(parameters, lr=lr, momentum=momentum, weight_decay=weight_decay)
    if name == "adam":
        return torch.optim.Adam(parameters, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
    if name == "adamw":
        return torch.optim.AdamW(parameters, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
    raise NotImplementedError(f"create_optimizer has no {opt!r} here")


def create_optimizer(args, model, filter_bias_and_bn=True):
    """The optimizer that `args.opt` names, with the settings of `args`."""
    return create_optimizer_v2(model, **optimizer_kwargs(args), filter_bias_and_bn=filter_bias_and_bn)


class Scheduler:
    """Sets a field of an optimizer's groups by epochs or by updates; a subclass says in `_get_lr` to what."""

    def __init__(
        self,
        optimizer,
        param_group_field,
        t_in_epochs=True,
        noise_range_t=None,
        noise_type="normal",
        noise_pct=0.67,
        noise_std=1.0,
        noise_seed=None,
        initialize=True,
    ):
        if noise_range_t is not None:
            raise NotImplementedError("schedules have no noise here")
        self.optimizer = optimizer
        self.param_group_field = param_group_field
        self.t_in_epochs = t_in_epochs
        self.metric = None
        initial = f"initial_{param_group_field}"
        if initialize:
            for group in optimizer.param_groups:
                group.setdefault(initial, float(group[param_group_field]))
        self.base_values = [float(group[initial]) for group in optimizer.param_groups]
        self.update_groups(self.base_values)

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)

    def _get_lr(self, t):
        raise NotImplementedError

    def _get_values(self, t, on_epoch=True):
        # Subclasses written for timm before 0.8 say it in these methods.
        own = getattr(self, "get_epoch_values" if on_epoch else "get_update_values", None)
        if own is not None:
            return own(t)
        return self._get_lr(t) if on_epoch == bool(self.t_in_epochs) else None

    def step(self, epoch, metric=None):
        self.metric = metric
        values = self._get_values(epoch, on_epoch=True)
        if values is not None:
            self.update_groups(values)

    def step_update(self, num_updates, metric=None):
        self.metric = metric
        values = self._get_values(num_updates, on_epoch=False)
        if values is not None:
            self.update_groups(values)

    def update_groups(self, values):
        groups = self.optimizer.param_groups
        if not isinstance(values, (list, tuple)):
            values = [values] * len(groups)
        for group, value in zip(groups, values):
            group[self.param_group_field] = value * group["lr_scale"] if "lr_scale" in group else value


class _WarmScheduler(Scheduler):
    """Learning rates that rise to those of the optimizer; `_falling` says how they go on."""

    def __init__(
        self,
        optimizer,
        warmup_t=0,
        warmup_lr_init=0,
        warmup_prefix=False,
        t_in_epochs=True,
        initialize=True,
        **noise,
    ):
        super().__init__(optimizer, "lr", t_in_epochs=t_in_epochs, initialize=initialize, **noise)
        self.warmup_t = warmup_t
        self.warmup_lr_init = warmup_lr_init
        self.warmup_prefix = warmup_prefix

    def _warm_up(self, reached):
        """Start the rise to these rates; to be called when `_falling` can be."""
        self.warmup_steps = [1 for _ in reached]
        if self.warmup_t:
            self.warmup_steps = [(rate - self.warmup_lr_init) / self.warmup_t for rate in reached]
            self.update_groups(self.warmup_lr_init)

    def _get_lr(self, t):
        if t < self.warmup_t:
            return [self.warmup_lr_init + t * step for step in self.warmup_steps]
        return self._falling(t - self.warmup_t if self.warmup_prefix else t)


class _DecayScheduler(_WarmScheduler):
    """Learning rates that fall by `decay_rate` at the times that `decay_t` says, after a warm-up."""

    def __init__(
        self, optimizer, decay_t, decay_rate=1.0, warmup_t=0, warmup_lr_init=0, warmup_prefix=True, **kwargs
    ):
        super().__init__(optimizer, warmup_t, warmup_lr_init, warmup_prefix, **kwargs)
        self.decay_t = decay_t
        self.decay_rate = decay_rate
        self._warm_up(self.base_values)


class StepLRScheduler(_DecayScheduler):
    """Learning rates that fall by `decay_rate` every `decay_t`, after a warm-up."""

    def _falling(self, t):
        return [rate * self.decay_rate ** (t // self.decay_t) for rate in self.base_values]


class MultiStepLRScheduler(_DecayScheduler):
    """Learning rates that fall by `decay_rate` at each time of `decay_t`, after a warm-up."""

    def get_curr_decay_steps(self, t):
        """How many of the times have come; each comes one step early in timm."""
        return sum(time <= t + 1 for time in self.decay_t)

    def _falling(self, t):
        return [rate * self.decay_rate ** self.get_curr_decay_steps(t) for rate in self.base_values]


class _CycleScheduler(_WarmScheduler):
    """Learning rates that fall to `lr_min` in cycles, after a warm-up; `_left` says how far in a share of a cycle."""

    def __init__(
        self,
        optimizer,
        t_initial,
        lr_min=0.0,
        cycle_mul=1.0,
        cycle_decay=1.0,
        cycle_limit=1,
        warmup_t=0,
        warmup_lr_init=0,
        warmup_prefix=False,
        t_mul=None,
        decay_rate=None,
        **kwargs,
    ):
        super().__init__(optimizer, warmup_t, warmup_lr_init, warmup_prefix, **kwargs)
        self.t_initial = t_initial
        self.lr_min = lr_min
        # Releases before 0.5 call them so.
        self.cycle_mul = cycle_mul if t_mul is None else t_mul
        self.cycle_decay = cycle_decay if decay_rate is None else decay_rate
        self.cycle_limit = cycle_limit

    def _falling(self, t):
        if self.cycle_mul == 1:
            cycle, length = t // self.t_initial, self.t_initial
            start = cycle * self.t_initial
        else:
            cycle = math.floor(math.log(1 - t / self.t_initial * (1 - self.cycle_mul), self.cycle_mul))
            length = self.cycle_mul**cycle * self.t_initial
            start = (1 - self.cycle_mul**cycle) / (1 - self.cycle_mul) * self.t_initial
        if cycle >= self.cycle_limit:
            return [self.lr_min for _ in self.base_values]
        left, gamma = self._left((t - start) / length), self.cycle_decay**cycle
        return [self.lr_min + (rate * gamma - self.lr_min) * left for rate in self.base_values]

    def get_cycle_length(self, cycles=0):
        cycles = max(1, cycles or self.cycle_limit)
        if self.cycle_mul == 1:
            length = self.t_initial * cycles
        else:
            length = math.floor(self.t_initial * (self.cycle_mul**cycles - 1) / (self.cycle_mul - 1))
        return length + self.warmup_t if self.warmup_prefix else length


class CosineLRScheduler(_CycleScheduler):
    """Learning rates that fall along a cosine, after a warm-up."""

    def __init__(self, optimizer, t_initial, lr_min=0.0, *args, k_decay=1.0, **kwargs):
        super().__init__(optimizer, t_initial, lr_min, *args, **kwargs)
        self.k_decay = k_decay
        self._warm_up(self.base_values)

    def _left(self, share):
        return 0.5 * (1 + math.cos(math.pi * share**self.k_decay))


class PolyLRScheduler(_CycleScheduler):
    """Learning rates that fall along a power, after a warm-up."""

    def __init__(self, optimizer, t_initial, power=0.5, lr_min=0.0, *args, k_decay=1.0, **kwargs):
        super().__init__(optimizer, t_initial, lr_min, *args, **kwargs)
        self.power = power
        self.k_decay = k_decay
        self._warm_up(self.base_values)

    def _left(self, share):
        return (1 - share**self.k_decay) ** self.power


class TanhLRScheduler(_CycleScheduler):
    """Learning rates that fall along a hyperbolic tangent, after a warm-up."""

    def __init__(self, optimizer, t_initial, lb=-7.0, ub=3.0, lr_min=0.0, *args, **kwargs):
        super().__init__(optimizer, t_initial, lr_min, *args, **kwargs)
        self.lb = lb
        self.ub = ub
        self._warm_up(self.base_values if self.warmup_prefix else self._falling(self.warmup_t))

    def _left(self, share):
        return 0.5 * (1 - math.tanh(self.lb * (1 - share) + self.ub * share))


def scheduler_kwargs(cfg, decreasing_metric=None):
    """What the options of a training script say of the schedule."""
    return {
        "sched": cfg.sched,
        "num_epochs": getattr(cfg, "epochs", 100),
        "decay_epochs": getattr(cfg, "decay_epochs", 30),
        "decay_milestones": getattr(cfg, "decay_milestones", [30, 60]),
        "warmup_epochs": getattr(cfg, "warmup_epochs", 5),
        "cooldown_epochs": getattr(cfg, "cooldown_epochs", 0),
        "decay_rate": getattr(cfg, "decay_rate", 0.1),
        "min_lr": getattr(cfg, "min_lr", 0.0),
        "warmup_lr": getattr(cfg, "warmup_lr", 1e-5),
        "warmup_prefix": getattr(cfg, "warmup_prefix", False),
        "noise": getattr(cfg, "lr_noise", None),
        "cycle_mul": getattr(cfg, "lr_cycle_mul", 1.0),
        "cycle_decay": getattr(cfg, "lr_cycle_decay", 0.1),
        "cycle_limit": getattr(cfg, "lr_cycle_limit", 1),
        "k_decay": getattr(cfg, "lr_k_decay", 1.0),
        "step_on_epochs": not getattr(cfg, "sched_on_updates", False),
    }


def create_scheduler(args, optimizer, updates_per_epoch=0):
    """The schedule that `args.sched` names, and for how many epochs."""
    return create_scheduler_v2(optimizer, **scheduler_kwargs(args), updates_per_epoch=updates_per_epoch)


def create_scheduler_v2(
    optimizer,
    sched="cosine",
    num_epochs=300,
    decay_epochs=90,
    decay_milestones=(90, 180, 270),
    cooldown_epochs=0,
    decay_rate=0.1,
    min_lr=0.0,
    warmup_lr=1e-5,
    warmup_epochs=0,
    warmup_prefix=False,
    noise=None,
    cycle_mul=1.0,
    cycle_decay=0.1,
    cycle_limit=1,
    k_decay=1.0,
    step_on_epochs=True,
    updates_per_epoch=0,
):
    """The schedule of that name, and for how many epochs."""
    if noise is not None:
        raise NotImplementedError("schedules have no noise here")
    times = 1 if step_on_epochs else updates_per_epoch
    common = {
        "warmup_t": warmup_epochs * times,
        "warmup_lr_init": warmup_lr,
        "warmup_prefix": warmup_prefix,
        "t_in_epochs": step_on_epochs,
    }
    cycles = {
        "t_initial": num_epochs * times,
        "lr_min": min_lr,
        "cycle_mul": cycle_mul,
        "cycle_decay": cycle_decay,
        "cycle_limit": cycle_limit,
        **common,
    }
    if sched == "cosine":
        schedule = CosineLRScheduler(optimizer, k_decay=k_decay, **cycles)
    elif sched == "poly":
        schedule = PolyLRScheduler(optimizer, power=decay_rate, k_decay=k_decay, **cycles)
    elif sched == "tanh":
        schedule = TanhLRScheduler(optimizer, **cycles)
    elif sched == "step":
        schedule = StepLRScheduler(optimizer, decay_t=decay_epochs * times, decay_rate=decay_rate, **common)
    elif sched == "multistep":
        milestones = [time * times for time in decay_milestones]
        schedule = MultiStepLRScheduler(optimizer, decay_t=milestones, decay_rate=decay_rate, **common)
    else:
        raise NotImplementedError(f"create_scheduler has no {sched!r} here")
    if hasattr(schedule, "get_cycle_length"):
        num_epochs = (schedule.get_cycle_length() + cooldown_epochs * times) // times
    elif warmup_prefix:
        num_epochs += warmup_epochs
    return schedule, num_epochs
