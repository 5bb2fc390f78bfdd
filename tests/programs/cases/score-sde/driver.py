import os

import numpy as np
import torch

import losses
import sampling
import sde_lib
from configs.ve import cifar10_ncsnpp_continuous
from configs.vp import cifar10_ddpmpp_continuous
from models import ddpm, ncsnpp  # noqa: F401
from models import utils as mutils
from models.ema import ExponentialMovingAverage
from utils import save_checkpoint


def small(config):
    config.data.image_size = 8
    config.model.nf = 32
    config.model.ch_mult = (1, 2)
    config.model.num_res_blocks = 1
    config.model.attn_resolutions = (4,)
    config.model.num_scales = 20 if config.training.sde == "vesde" else 1000
    config.model.dropout = 0.0
    config.optim.warmup = 2
    config.optim.lr = 1e-3
    return config


VE, VP = small(cifar10_ncsnpp_continuous.get_config()), small(cifar10_ddpmpp_continuous.get_config())
DDPM = small(cifar10_ddpmpp_continuous.get_config())
DDPM.model.name = "ddpm"
DDPM.training.continuous = False


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, 8, 8).astype("float32"))


def network(config):
    """As `create_model` makes it."""
    return mutils.get_model(config.model.name)(config)


def build():
    return network(VE), network(VP), network(DDPM)


def sde_of(config):
    """As run_lib.py chooses it."""
    scales = config.model.num_scales
    if config is VE:
        return sde_lib.VESDE(sigma_min=config.model.sigma_min, sigma_max=config.model.sigma_max, N=scales)
    return sde_lib.VPSDE(beta_min=config.model.beta_min, beta_max=config.model.beta_max, N=scales)


def forward(ve, vp, discrete):
    for net in (ve, vp, discrete):
        net.eval()
    t, x = torch.tensor([0.3, 0.8]), images(0)
    sub = sde_lib.subVPSDE(N=20)
    return {
        "ve": lambda: ve(x, torch.tensor([0.5, 20.0])),
        "vp": lambda: vp(x, t * 999),
        "ddpm": lambda: discrete(x, torch.tensor([3, 17])),
        "ve_score": lambda: mutils.get_score_fn(sde_of(VE), ve, continuous=True)(x, t),
        "vp_score": lambda: mutils.get_score_fn(sde_of(VP), vp, continuous=True)(x, t),
        "ddpm_score": lambda: mutils.get_score_fn(sde_of(DDPM), discrete)(x, t),
        "marginals": lambda: [
            *sde_of(VE).marginal_prob(x, t),
            *sde_of(VP).marginal_prob(x, t),
            *sub.marginal_prob(x, t),
        ],
        "drifts": lambda: [
            *sde_of(VE).sde(x, t),
            *sde_of(VP).discretize(x, t),
            *sub.sde(x, t),
            *sde_of(VE).discretize(x, t),
        ],
        "priors": lambda: [sde_of(VE).prior_logp(x), sub.prior_logp(x)],
        "predicted": lambda: predicted(ve, x, t),
    }


def predicted(net, x, t):
    """What the predictors give before they add noise."""
    sde = sde_of(VE)
    score = mutils.get_score_fn(sde, net, continuous=True)
    names = ("euler_maruyama", "reverse_diffusion", "ancestral_sampling")
    return [sampling.get_predictor(name)(sde, score).update_fn(x, t)[1] for name in names]


def fit(net, config, likelihood_weighting=False):
    """The loop of run_lib.py, without its data and records."""
    np.random.seed(4)
    model = torch.nn.DataParallel(net)
    ema = ExponentialMovingAverage(model.parameters(), decay=config.model.ema_rate)
    state = {
        "optimizer": losses.get_optimizer(config, model.parameters()),
        "model": model,
        "ema": ema,
        "step": 0,
    }
    kept = []
    step_fns = [
        losses.get_step_fn(
            sde_of(config), train=train, optimize_fn=losses.optimization_manager(config),
            reduce_mean=config.training.reduce_mean, continuous=config.training.continuous,
            likelihood_weighting=likelihood_weighting,
        )
        for train in (True, False)
    ]  # fmt: skip
    for step in range(4):
        kept.append(step_fns[0](state, images(step)).item())
    kept.append(step_fns[1](state, images(9)).item())
    return state, kept


def train(ve, vp, discrete):
    os.makedirs("checkpoints", exist_ok=True)
    state, ve_losses = fit(ve, VE)
    save_checkpoint("checkpoints/checkpoint.pth", state)
    loaded = torch.load("checkpoints/checkpoint.pth", weights_only=False)
    second, vp_losses = fit(vp, VP, likelihood_weighting=True)
    _, ddpm_losses = fit(discrete, DDPM)
    second["ema"].copy_to(vp.parameters())
    return {
        "ve_losses": ve_losses,
        "vp_losses": vp_losses,
        "ddpm_losses": ddpm_losses,
        "ve": ve.all_modules[3].weight,
        "vp": vp.all_modules[2].weight,
        "ddpm": discrete.all_modules[2].weight,
        "average": state["ema"].shadow_params[2],
        "step": loaded["step"],
        "updates": loaded["ema"]["num_updates"],
        "rate": state["optimizer"].param_groups[0]["lr"],
    }
