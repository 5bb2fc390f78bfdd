import copy

import numpy as np
import torch
from torch_utils import misc
from torch_utils.ops import bias_act, filtered_lrelu, upfirdn2d
from training.loss import StyleGAN2Loss
from training.networks_stylegan2 import Discriminator
from training.networks_stylegan2 import Generator as Generator2
from training.networks_stylegan3 import Generator

SIZE = 16


def build():
    common = {"channel_base": 256, "channel_max": 16, "num_fp16_res": 0}
    return (
        Generator(8, 0, 8, SIZE, 3, num_layers=4, margin_size=4, **common),
        Discriminator(0, SIZE, 3, epilogue_kwargs={"mbstd_group_size": 2}, **common),
        Generator2(8, 0, 8, SIZE, 3, **common),
    )


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def init():
    torch.manual_seed(1)
    net, discriminator, second = build()
    return {"frequencies": net.synthesis.input.freqs, "mapping": net.mapping.fc0.weight, "conv": second.synthesis.b8.conv1.weight}


def forward(net, discriminator, second):
    z, c, images = numbers(0, 2, 8), torch.zeros(2, 0), numbers(1, 2, 3, SIZE, SIZE)
    f = upfirdn2d.setup_filter([1, 3, 3, 1])
    return {
        "image": net(z, c),
        "cut": lambda: net(z, c, truncation_psi=0.7, truncation_cutoff=3),
        "logits": lambda: discriminator(images, c),
        "second": lambda: second(z, c, noise_mode="const"),
        "filter": lambda: f,
        "up": lambda: upfirdn2d.upsample2d(images, f, up=2),
        "down": lambda: upfirdn2d.downsample2d(images, f, down=2, flip_filter=True),
        "act": lambda: bias_act.bias_act(images, numbers(2, 3), act="swish", gain=2.0, clamp=1.5),
        "lrelu": lambda: filtered_lrelu.filtered_lrelu(images, fu=f, fd=f, b=numbers(3, 3), up=2, down=2, padding=3, clamp=256),
    }


def train(net, discriminator, second):
    ema = copy.deepcopy(net).eval()
    loss = StyleGAN2Loss("cpu", net, discriminator, r1_gamma=2.0, blur_init_sigma=0.8, blur_fade_kimg=1)
    phases = []
    for name, module in (("G", net), ("D", discriminator)):
        opt = torch.optim.Adam(module.parameters(), lr=0.002, betas=(0.0, 0.99), eps=1e-8)
        phases.append((name + ("main" if name == "G" else "both"), module, opt))
        module.requires_grad_(False)
    c = torch.zeros(2, 0)
    figures = []
    for step in range(3):
        for index, (name, module, opt) in enumerate(phases):
            opt.zero_grad(set_to_none=True)
            module.requires_grad_(True)
            z = numbers(10 * step + index, 2, 8)
            loss.accumulate_gradients(name, numbers(100 + step, 2, 3, SIZE, SIZE), c, z, c, gain=1, cur_nimg=step * 2)
            module.requires_grad_(False)
            params = [param for param in module.parameters() if param.grad is not None]
            flat = torch.cat([param.grad.flatten() for param in params])
            misc.nan_to_num(flat, nan=0, posinf=1e5, neginf=-1e5, out=flat)
            grads = flat.split([param.numel() for param in params])
            for param, grad in zip(params, grads):
                param.grad = grad.reshape(param.shape)
            figures.append(flat.abs().mean().item())
            opt.step()
        with torch.no_grad():
            for p_ema, p in zip(ema.parameters(), net.parameters()):
                p_ema.copy_(p.lerp(p_ema, 0.9))
            for b_ema, b in zip(ema.buffers(), net.buffers()):
                b_ema.copy_(b)
    return {
        "figures": figures,
        "average": net.mapping.w_avg,
        "generator": net.synthesis.input.weight,
        "discriminator": discriminator.b8.conv0.weight,
        "ema": ema.mapping.fc0.weight,
    }
