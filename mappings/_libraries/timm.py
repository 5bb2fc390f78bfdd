"""The parts of timm that this project uses. Arguments, defaults and names of weights are those of timm; what a part
leaves out raises."""

import math
from copy import deepcopy
from itertools import repeat

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision.transforms as transforms

# Module, with those below it -> what it has, in the releases from 0.3 on.
WHERE = {
    "timm": "create_model",
    "timm.data": "IMAGENET_DEFAULT_MEAN IMAGENET_DEFAULT_STD IMAGENET_INCEPTION_MEAN IMAGENET_INCEPTION_STD Mixup"
    " create_transform",
    "timm.data.mixup": "mixup_target",
    "timm.data.transforms": "_pil_interp str_to_pil_interp str_to_interp_mode ToNumpy ToTensor"
    " RandomResizedCropAndInterpolation",
    "timm.layers": "to_ntuple to_1tuple to_2tuple to_3tuple to_4tuple make_divisible trunc_normal_ lecun_normal_"
    " drop_path DropPath LayerNorm2d Mlp PatchEmbed",
    "timm.loss": "LabelSmoothingCrossEntropy SoftTargetCrossEntropy",
    "timm.models": "register_model",
    "timm.models.layers": "to_ntuple to_1tuple to_2tuple to_3tuple to_4tuple make_divisible trunc_normal_"
    " lecun_normal_ drop_path DropPath LayerNorm2d Mlp PatchEmbed",
    "timm.models.vision_transformer": "PatchEmbed Mlp LayerScale Attention Block VisionTransformer DropPath"
    " trunc_normal_ lecun_normal_ _cfg",
    "timm.optim": "param_groups_weight_decay add_weight_decay create_optimizer",
    "timm.scheduler": "CosineLRScheduler create_scheduler",
    "timm.utils": "accuracy AverageMeter dispatch_clip_grad NativeScaler unwrap_model get_state_dict ModelEma"
    " ModelEmaV2",
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


def mixup_target(target, num_classes, lam=1.0, smoothing=0.0):
    """Smoothed one-hot targets, mixed with those of the batch in reverse order."""
    off = smoothing / num_classes
    on = 1.0 - smoothing + off
    y1 = F.one_hot(target.long(), num_classes).float() * (on - off) + off
    return y1 * lam + y1.flip(0) * (1.0 - lam)


class Mixup:
    """Mixes each image of a batch with another one, or pastes a piece of that one, with one ratio for the batch."""

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
        if mode != "batch":
            raise NotImplementedError(f"Mixup has no mode {mode!r} here, only 'batch'")
        self.mixup_alpha = mixup_alpha
        self.cutmix_alpha = 1.0 if cutmix_minmax is not None else cutmix_alpha
        self.cutmix_minmax = cutmix_minmax
        self.mix_prob = prob
        self.switch_prob = switch_prob
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

    def _box(self, height, width, lam):
        """Top, bottom, left and right of the piece."""
        if self.cutmix_minmax is not None:
            low, high = self.cutmix_minmax
            tall = np.random.randint(int(height * low), int(height * high))
            wide = np.random.randint(int(width * low), int(width * high))
            top, left = np.random.randint(0, height - tall), np.random.randint(0, width - wide)
            return top, top + tall, left, left + wide
        ratio = np.sqrt(1 - lam)
        tall, wide = int(height * ratio), int(width * ratio)
        y, x = np.random.randint(0, height), np.random.randint(0, width)
        return (
            max(y - tall // 2, 0),
            min(y + tall // 2, height),
            max(x - wide // 2, 0),
            min(x + wide // 2, width),
        )

    def __call__(self, x, target):
        assert len(x) % 2 == 0, "Batch size should be even when using this"
        lam, pastes = self._drawn()
        if pastes and lam != 1.0:
            height, width = x.shape[-2], x.shape[-1]
            top, bottom, left, right = self._box(height, width, lam)
            if self.correct_lam or self.cutmix_minmax is not None:
                lam = 1.0 - (bottom - top) * (right - left) / float(height * width)
            mixed = x.clone()
            mixed[:, :, top:bottom, left:right] = x.flip(0)[:, :, top:bottom, left:right]
            x = mixed
        elif lam != 1.0:
            x = x * lam + x.flip(0) * (1.0 - lam)
        return x, mixup_target(target, self.num_classes, lam, self.label_smoothing)


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
            raise NotImplementedError("load the checkpoint into `ema` instead of resume=...")

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


def create_optimizer(args, model, filter_bias_and_bn=True):
    """The optimizer that `args.opt` names, with the settings of `args`."""
    name, weight_decay = args.opt.lower(), args.weight_decay
    if weight_decay and filter_bias_and_bn:
        skipped = model.no_weight_decay() if hasattr(model, "no_weight_decay") else ()
        parameters, weight_decay = param_groups_weight_decay(model, weight_decay, skipped), 0.0
    else:
        parameters = [p for p in model.parameters() if p.requires_grad]
    eps = getattr(args, "opt_eps", None)
    eps = 1e-8 if eps is None else eps
    betas = tuple(getattr(args, "opt_betas", None) or (0.9, 0.999))
    if name in ("sgd", "nesterov"):
        return torch.optim.SGD(
            parameters, lr=args.lr, momentum=args.momentum, weight_decay=weight_decay, nesterov=True
        )
    if name == "momentum":
        return torch.optim.SGD(parameters, lr=args.lr, momentum=args.momentum, weight_decay=weight_decay)
    if name == "adam":
        return torch.optim.Adam(parameters, lr=args.lr, betas=betas, eps=eps, weight_decay=weight_decay)
    if name == "adamw":
        return torch.optim.AdamW(parameters, lr=args.lr, betas=betas, eps=eps, weight_decay=weight_decay)
    raise NotImplementedError(f"create_optimizer has no {args.opt!r} here")


class CosineLRScheduler:
    """Learning rates that fall along a cosine from epoch to epoch, after a warm-up."""

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
        t_in_epochs=True,
        **kwargs,
    ):
        if cycle_mul != 1.0 or any(value for name, value in kwargs.items() if name.startswith("noise_range")):
            raise NotImplementedError("CosineLRScheduler has no growing cycles and no noise here")
        self.optimizer = optimizer
        self.t_initial = t_initial
        self.lr_min = lr_min
        self.cycle_decay = cycle_decay
        self.cycle_limit = cycle_limit
        self.warmup_t = warmup_t
        self.warmup_lr_init = warmup_lr_init
        self.warmup_prefix = warmup_prefix
        self.t_in_epochs = t_in_epochs
        self.base_values = [float(group["lr"]) for group in optimizer.param_groups]
        if warmup_t:
            self._set([warmup_lr_init for _ in self.base_values])

    def _rates(self, t):
        if t < self.warmup_t:
            start = self.warmup_lr_init
            return [start + t * (rate - start) / self.warmup_t for rate in self.base_values]
        if self.warmup_prefix:
            t = t - self.warmup_t
        cycle, place = divmod(t, self.t_initial)
        if cycle >= self.cycle_limit:
            return [self.lr_min for _ in self.base_values]
        falling = 0.5 * (1 + math.cos(math.pi * place / self.t_initial))
        return [
            self.lr_min + (rate * self.cycle_decay**cycle - self.lr_min) * falling
            for rate in self.base_values
        ]

    def _set(self, rates):
        for group, rate in zip(self.optimizer.param_groups, rates):
            group["lr"] = rate

    def step(self, epoch, metric=None):
        if self.t_in_epochs:
            self._set(self._rates(epoch))

    def step_update(self, num_updates, metric=None):
        if not self.t_in_epochs:
            self._set(self._rates(num_updates))

    def get_cycle_length(self, cycles=0):
        return self.t_initial * max(1, cycles or self.cycle_limit)

    def state_dict(self):
        return {"base_values": self.base_values}

    def load_state_dict(self, state_dict):
        self.base_values = state_dict["base_values"]


def create_scheduler(args, optimizer):
    """The schedule that `args.sched` names, and for how many epochs."""
    if args.sched != "cosine":
        raise NotImplementedError(f"create_scheduler has no {args.sched!r} here, only 'cosine'")
    schedule = CosineLRScheduler(
        optimizer,
        t_initial=args.epochs,
        lr_min=args.min_lr,
        warmup_t=args.warmup_epochs,
        warmup_lr_init=args.warmup_lr,
    )
    return schedule, schedule.get_cycle_length() + getattr(args, "cooldown_epochs", 0)
