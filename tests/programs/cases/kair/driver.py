import numpy as np
import torch
from models.model_plain import ModelPlain

DENOISER = {
    "net_type": "dncnn",
    "in_nc": 1,
    "out_nc": 1,
    "nc": 16,
    "nb": 5,
    "act_mode": "BR",
    "init_type": "orthogonal",
    "init_bn_type": "uniform",
    "init_gain": 0.2,
}
UPSCALER = {
    "net_type": "msrresnet0",
    "in_nc": 1,
    "out_nc": 1,
    "nc": 16,
    "nb": 2,
    "scale": 2,
    "act_mode": "R",
    "upsample_mode": "pixelshuffle",
    "init_type": "kaiming_normal",
    "init_bn_type": "uniform",
    "init_gain": 1.0,
}


def options(network, loss):
    """Those of the repository's options/*.json."""
    return {
        "is_train": True,
        "gpu_ids": None,
        "dist": False,
        "scale": network.get("scale", 1),
        "path": {
            "models": "models",
            "pretrained_netG": None,
            "pretrained_netE": None,
            "pretrained_optimizerG": None,
        },
        "netG": network,
        "train": {
            "E_decay": 0.9,
            "G_lossfn_type": loss,
            "G_lossfn_weight": 1.0,
            "G_charbonnier_eps": 1e-9,
            "G_optimizer_type": "adam",
            "G_optimizer_lr": 1e-4,
            "G_optimizer_betas": [0.9, 0.999],
            "G_optimizer_wd": 0,
            "G_optimizer_clipgrad": None,
            "G_optimizer_reuse": False,
            "G_scheduler_type": "MultiStepLR",
            "G_scheduler_milestones": [2, 4],
            "G_scheduler_gamma": 0.5,
            "G_regularizer_orthstep": None,
            "G_regularizer_clipstep": None,
            "checkpoint_save": 5000,
        },
    }


def build():
    denoiser = ModelPlain(options(DENOISER, "l1"))
    upscaler = ModelPlain(options(UPSCALER, "ssim"))
    return denoiser.get_bare_model(denoiser.netG), upscaler.get_bare_model(upscaler.netG)


def pictures(seed, scale):
    """Sharp pictures, and either noisy or smaller ones made of them."""
    random = np.random.RandomState(seed)
    sharp = random.uniform(size=(3, 1, 24, 24)).astype("float32")
    low = sharp[:, :, ::2, ::2] if scale == 2 else sharp + random.normal(0, 0.1, sharp.shape)
    return {"L": torch.from_numpy(low.astype("float32")), "H": torch.from_numpy(sharp)}


def started(network, loss, netG):
    model = ModelPlain(options(network, loss))
    model.netG = model.model_to_device(netG)
    model.init_train()
    return model


def forward(denoiser, upscaler):
    results = {}
    for name, network, netG in (("denoiser", DENOISER, denoiser), ("upscaler", UPSCALER, upscaler)):
        model = started(network, "l1", netG)
        model.feed_data(pictures(0, model.opt["scale"]))
        model.test()
        results[name] = model.current_results()["E"]
    return results


def train(denoiser, upscaler):
    results = {}
    for name, network, loss, netG in (
        ("denoiser", DENOISER, "l1", denoiser),
        ("upscaler", UPSCALER, "ssim", upscaler),
    ):
        model = started(network, loss, netG)
        losses = []
        for current_step in range(1, 5):
            model.update_learning_rate(current_step)
            model.feed_data(pictures(current_step, model.opt["scale"]))
            model.optimize_parameters(current_step)
            losses.append(model.current_log()["G_loss"])
        results[f"{name}_losses"] = losses
        results[f"{name}_weight"] = next(iter(netG.parameters()))
        results[f"{name}_average"] = next(iter(model.netE.parameters()))
    return results


def init():
    denoiser, upscaler = build()
    return {
        "orthogonal": next(iter(denoiser.parameters())),
        "kaiming": next(iter(upscaler.parameters())),
    }
