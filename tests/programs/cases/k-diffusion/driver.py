import os

os.environ["K_DIFFUSION_USE_COMPILE"] = "0"

from copy import deepcopy  # noqa: E402

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch import nn, optim  # noqa: E402

import k_diffusion as K  # noqa: E402

CLASSES, SIZE, SIGMA_MIN, SIGMA_MAX = 3, 8, 0.05, 10.0


def config(kind, **model):
    return {
        "model": {
            "type": kind, "input_channels": 3, "sigma_data": 0.5, "dropout_rate": 0.0, "patch_size": [2, 2],
            "loss_config": "karras", "loss_weighting": "soft-min-snr", "loss_scales": 1, "has_variance": False, **model,
        },
        "dataset": {"num_classes": CLASSES if kind != "image_v1" else 0},
    }  # fmt: skip


HOURGLASS = config(
    "image_transformer_v2", widths=[16, 24], depths=[2, 1], d_ffs=[24, 32], mapping_depth=1, mapping_width=16,
    mapping_d_ff=24, mapping_dropout_rate=0.0, mapping_cond_dim=4, dropout_rate=[0.0, 0.0],
    self_attns=[{"type": "shifted-window", "d_head": 8, "window_size": 2}, {"type": "global", "d_head": 8}],
)  # fmt: skip
FLAT = config("image_transformer_v1", depth=2, width=64, d_ff=32)
UNET = config(
    "image_v1", mapping_out=16, depths=[1, 2], channels=[8, 16], self_attn_depths=[False, True],
    cross_attn_depths=[False, True], patch_size=1, mapping_cond_dim=0, unet_cond_dim=2, cross_cond_dim=6,
    skip_stages=0, augment_wrapper=True, has_variance=True, loss_weighting="karras",
)  # fmt: skip
UNET["model"]["dropout_rate"] = 0.0


def build():
    return tuple(K.config.make_model(one) for one in (HOURGLASS, FLAT, UNET))


def wrapped(net, settings):
    return K.config.make_denoiser_wrapper(settings)(net)


def batch(seed, count=3):
    rng = np.random.RandomState(seed)
    reals = torch.from_numpy(rng.randn(count, 3, SIZE, SIZE).astype(np.float32)) * 0.5
    noise = torch.from_numpy(rng.randn(count, 3, SIZE, SIZE).astype(np.float32))
    sigma = torch.from_numpy(np.exp(rng.randn(count)).astype(np.float32))
    conditions = {
        "classes": torch.from_numpy(rng.randint(0, CLASSES, count)),
        "augment": torch.from_numpy(rng.randn(count, 9).astype(np.float32)),
        "mapping": torch.from_numpy(rng.randn(count, 4).astype(np.float32)),
        "unet": torch.from_numpy(rng.randn(count, 2, SIZE, SIZE).astype(np.float32)),
        "cross": torch.from_numpy(rng.randn(count, 5, 6).astype(np.float32)),
        "padding": torch.from_numpy((rng.rand(count, 5) < 0.3).astype(np.float32)),
    }
    return reals, noise, sigma, conditions


def options(name, given):
    if name == "hourglass":
        return {
            "class_cond": given["classes"],
            "mapping_cond": given["mapping"],
            "aug_cond": given["augment"],
        }
    if name == "flat":
        return {"class_cond": given["classes"], "aug_cond": given["augment"]}
    return {
        "aug_cond": given["augment"], "unet_cond": given["unet"], "cross_cond": given["cross"],
        "cross_cond_padding": given["padding"],
    }  # fmt: skip


def forward(hourglass, flat, unet):
    outputs = {}
    reals, noise, sigma, given = batch(0)
    models = {}
    for name, net, settings in (
        ("hourglass", hourglass, HOURGLASS),
        ("flat", flat, FLAT),
        ("unet", unet, UNET),
    ):
        net.eval()
        models[name] = wrapped(net, settings)
        outputs[name] = lambda name=name: models[name](reals + noise, sigma, **options(name, given))
        outputs[name + "_loss"] = lambda name=name: models[name].loss(
            reals, noise, sigma, **options(name, given)
        )
    extra = options("hourglass", given)
    x = noise * SIGMA_MAX
    sigmas = K.sampling.get_sigmas_karras(5, SIGMA_MIN, SIGMA_MAX)
    samplers = {
        "euler": K.sampling.sample_euler, "heun": K.sampling.sample_heun, "dpm_2": K.sampling.sample_dpm_2,
        "lms": K.sampling.sample_lms, "dpmpp_2m": K.sampling.sample_dpmpp_2m,
    }  # fmt: skip
    for name, sample in samplers.items():
        outputs[name] = lambda sample=sample: sample(
            models["hourglass"], x, sigmas, extra_args=extra, disable=True
        )
    for name in ("ancestral", "dpm_2_ancestral", "dpmpp_2s_ancestral", "dpmpp_2m_sde", "dpmpp_3m_sde"):
        sample = getattr(K.sampling, "sample_" + ("euler_ancestral" if name == "ancestral" else name))
        outputs[name] = lambda sample=sample: sample(
            models["flat"], x, sigmas, extra_args=options("flat", given), disable=True, eta=0.0,
            noise_sampler=lambda a, b: noise,
        )  # fmt: skip

    def fast():
        with K.utils.eval_mode(models["flat"]):
            return K.sampling.sample_dpm_fast(
                models["flat"], x, SIGMA_MIN, SIGMA_MAX, 7, extra_args=options("flat", given), disable=True
            )

    def adaptive():
        return K.sampling.sample_dpm_adaptive(
            models["flat"], x, SIGMA_MIN, SIGMA_MAX, extra_args=options("flat", given), disable=True
        )

    outputs["fast"] = fast
    outputs["adaptive"] = adaptive
    outputs["v_denoiser"] = lambda: K.external.VDenoiser(flat)(reals, sigma, class_cond=given["classes"])
    outputs["exponential"] = lambda: K.sampling.get_sigmas_exponential(6, SIGMA_MIN, SIGMA_MAX)
    outputs["polyexponential"] = lambda: K.sampling.get_sigmas_polyexponential(6, SIGMA_MIN, SIGMA_MAX, 2.0)
    outputs["vp"] = lambda: K.sampling.get_sigmas_vp(6)
    outputs["frequencies"] = lambda: K.layers.freq_weight_nd((4, 5), 2)
    outputs["sigma_of_t"] = lambda: K.external.DiscreteSchedule(torch.linspace(0.1, 4, 9), False).sigma_to_t(
        sigma
    )
    return outputs


SCHEDULES = {
    "hourglass": lambda opt: K.utils.ConstantLRWithWarmup(opt, warmup=0.5),
    "flat": lambda opt: K.utils.InverseLR(opt, inv_gamma=2.0, power=0.5, warmup=0.3),
    "unet": lambda opt: K.utils.ExponentialLR(opt, num_steps=3.0),
}


def train(hourglass, flat, unet):
    """The loop of train.py, with noise that is handed in."""
    results = {}
    for name, inner_model, settings in (
        ("hourglass", hourglass, HOURGLASS), ("flat", flat, FLAT), ("unet", unet, UNET),
    ):  # fmt: skip
        inner_model_ema = deepcopy(inner_model)
        opt = optim.AdamW(
            inner_model.param_groups(5e-3), lr=5e-3, betas=(0.9, 0.99), eps=1e-6, weight_decay=1e-2
        )
        sched = SCHEDULES[name](opt)
        ema_sched = K.utils.EMAWarmup(power=0.6667, max_value=0.9999)
        ema_stats = {}
        model = wrapped(inner_model, settings)
        model.train()
        losses_of_steps, rates = [], []
        for step in range(4):
            reals, noise, sigma, given = batch(10 + step)
            with K.models.checkpointing(step == 2):
                losses = model.loss(reals, noise, sigma, **options(name, given))
            loss = losses.mean().item()
            losses.mean().backward()
            opt.step()
            sched.step()
            opt.zero_grad()
            ema_decay = ema_sched.get_value()
            K.utils.ema_update_dict(ema_stats, {"loss": loss}, ema_decay ** (1 / 2))
            K.utils.ema_update(inner_model, inner_model_ema, ema_decay)
            ema_sched.step()
            losses_of_steps.append(loss)
            rates.append(sched.get_last_lr()[-1])
        results[name + "_losses"] = losses_of_steps
        results[name + "_rates"] = np.array(rates)
        results[name + "_mean_loss"] = np.array(ema_stats["loss"])
        weights = [p for p in inner_model.parameters() if isinstance(p, nn.Parameter) and p.dim() == 2]
        results[name + "_weight"] = weights[0]
        results[name + "_last"] = list(inner_model.parameters())[-1]
        averaged = dict(inner_model_ema.named_parameters())
        results[name + "_averaged"] = averaged[sorted(averaged)[0]]
        results[name + "_count"] = np.array(K.utils.n_params(inner_model))
    return results
