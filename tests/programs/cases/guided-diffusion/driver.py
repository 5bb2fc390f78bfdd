import copy

import numpy as np
import torch as th
from torch.optim import AdamW

from guided_diffusion.fp16_util import MixedPrecisionTrainer
from guided_diffusion.nn import update_ema
from guided_diffusion.resample import create_named_schedule_sampler
from guided_diffusion.script_util import (
    classifier_defaults,
    create_classifier,
    create_gaussian_diffusion,
    create_model,
)

STEPS = 100


def diffusion():
    return create_gaussian_diffusion(steps=STEPS, learn_sigma=True, noise_schedule="cosine")


def build():
    model = create_model(
        image_size=16,
        num_channels=32,
        num_res_blocks=1,
        channel_mult="1,2",
        learn_sigma=True,
        class_cond=True,
        attention_resolutions="8",
        num_heads=2,
        use_scale_shift_norm=True,
        resblock_updown=True,
    )
    settings = classifier_defaults()
    settings.update(
        image_size=64, classifier_width=32, classifier_depth=1, classifier_attention_resolutions="8"
    )
    return model, create_classifier(**settings)


def batch(seed, size=4, pixels=16):
    rng = np.random.RandomState(seed)
    x = th.from_numpy(rng.uniform(-1, 1, (size, 3, pixels, pixels)).astype("float32"))
    noise = th.from_numpy(rng.randn(size, 3, pixels, pixels).astype("float32"))
    return x, noise, th.from_numpy(rng.randint(0, 1000, size).astype("int64"))


def forward(model, classifier):
    model.eval()
    classifier.eval()
    process = diffusion()
    x, noise, y = batch(0)
    t = th.from_numpy(np.array([0, 20, 50, 99]))

    def sample():
        ddim = create_gaussian_diffusion(
            steps=STEPS, learn_sigma=True, noise_schedule="cosine", timestep_respacing="ddim5"
        )
        return ddim.ddim_sample_loop(model, (4, 3, 16, 16), noise=noise, model_kwargs={"y": y}, device="cpu")

    return {
        "model": model(x, t, y),
        "q_sample": process.q_sample(x, t, noise=noise),
        "posterior": process.q_posterior_mean_variance(x, noise, t)[0],
        "p_mean": process.p_mean_variance(model, x, t, model_kwargs={"y": y})["mean"],
        "ddim": sample,
        "classifier": lambda: classifier(batch(1, 2, 64)[0], t[:2]),
    }


def train(model, classifier):
    """What TrainLoop.run_step does, with noise from outside."""
    model.train()
    process = diffusion()
    np.random.seed(3)
    schedule_sampler = create_named_schedule_sampler("uniform", process)
    mp_trainer = MixedPrecisionTrainer(model=model)
    opt = AdamW(mp_trainer.master_params, lr=1e-3, weight_decay=0.01)
    ema_params = copy.deepcopy(mp_trainer.master_params)
    lr_anneal_steps = 10
    totals = []
    for step in range(4):
        x, noise, y = batch(step)
        mp_trainer.zero_grad()
        t, weights = schedule_sampler.sample(x.shape[0], "cpu")
        losses = process.training_losses(model, x, t, model_kwargs={"y": y}, noise=noise)
        loss = (losses["loss"] * weights).mean()
        mp_trainer.backward(loss)
        if mp_trainer.optimize(opt):
            update_ema(ema_params, mp_trainer.master_params, rate=0.9)
        for param_group in opt.param_groups:
            param_group["lr"] = 1e-3 * (1 - step / lr_anneal_steps)
        totals.append(loss.item())
    return {"losses": totals, "weight": model.time_embed[0].weight, "ema": ema_params[0]}
