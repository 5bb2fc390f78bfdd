import functools
import tempfile

import numpy as np
import torch as th
import torch.distributed as dist

from improved_diffusion import logger
from improved_diffusion.losses import discretized_gaussian_log_likelihood
from improved_diffusion.resample import create_named_schedule_sampler
from improved_diffusion.script_util import (
    create_gaussian_diffusion,
    create_model_and_diffusion,
    model_and_diffusion_defaults,
    sr_create_model,
)
from improved_diffusion.train_util import TrainLoop


def create():
    settings = model_and_diffusion_defaults()
    settings.update(
        image_size=32, num_channels=32, num_res_blocks=1, num_heads=2, attention_resolutions="8",
        learn_sigma=True, class_cond=True, diffusion_steps=100, noise_schedule="cosine",
    )  # fmt: skip
    return create_model_and_diffusion(**settings)


def build():
    upsampler = sr_create_model(
        64, 16, num_channels=32, num_res_blocks=1, learn_sigma=False, class_cond=False, use_checkpoint=True,
        attention_resolutions="8", num_heads=1, num_heads_upsample=-1, use_scale_shift_norm=False, dropout=0,
    )  # fmt: skip
    return create()[0], upsampler


def batch(seed, size=4, pixels=32):
    rng = np.random.RandomState(seed)
    x = th.from_numpy(rng.uniform(-1, 1, (size, 3, pixels, pixels)).astype("float32"))
    noise = th.from_numpy(rng.randn(size, 3, pixels, pixels).astype("float32"))
    return x, noise, th.from_numpy(rng.randint(0, 1000, size).astype("int64"))


def forward(model, upsampler):
    model.eval()
    upsampler.eval()
    process = create()[1]
    x, noise, y = batch(0)
    t = th.from_numpy(np.array([0, 20, 50, 99]))
    low, _, _ = batch(1, 1, 16)
    high, _, _ = batch(2, 1, 64)

    def sample():
        ddim = create_gaussian_diffusion(
            steps=100, learn_sigma=True, noise_schedule="cosine", timestep_respacing="ddim4"
        )
        return ddim.ddim_sample_loop(model, (4, 3, 32, 32), noise=noise, model_kwargs={"y": y}, device="cpu")

    def bits():
        with th.no_grad():
            return process._vb_terms_bpd(
                model, x, process.q_sample(x, t, noise=noise), t, model_kwargs={"y": y}
            )["output"][1:]  # not that of the first step: a logarithm of what cancels out, which no two sums agree on

    return {
        "model": model(x, process._scale_timesteps(t), y),
        "features": lambda: model.get_feature_vectors(x, t, y)["middle"],
        "p_mean": lambda: process.p_mean_variance(model, x, t, model_kwargs={"y": y})["variance"],
        "bits": bits,
        "likelihood": lambda: discretized_gaussian_log_likelihood(
            x.double(), means=noise.double(), log_scales=0.1 * noise.double()
        ),
        "prior": lambda: process._prior_bpd(x),
        "sample": sample,
        "upsampler": lambda: upsampler(high, t[1:2], low_res=low),
    }


def loop(model, diffusion, noise, sampler, **settings):
    diffusion.training_losses = functools.partial(diffusion.training_losses, noise=noise)
    return TrainLoop(
        model=model,
        diffusion=diffusion,
        data=None,
        batch_size=len(noise),
        microbatch=-1,
        lr=1e-3,
        ema_rate="0.9,0.99",
        log_interval=10,
        save_interval=10000,
        resume_checkpoint="",
        schedule_sampler=create_named_schedule_sampler(sampler, diffusion),
        weight_decay=0.01,
        **settings,
    )


def train(model, upsampler):
    model.train()
    upsampler.train()
    with tempfile.TemporaryDirectory() as folder:
        if not dist.is_initialized():
            dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", world_size=1, rank=0)
        logger.configure(folder, format_strs=["csv"])
        x, noise, y = batch(5)
        process = create()[1]
        np.random.seed(3)  # MindSpore draws the weights of a network with NumPy, too
        main = loop(model, process, noise, "loss-second-moment", lr_anneal_steps=10)
        losses, norms = [], []
        for step in range(3):
            x, _, y = batch(step)
            main.run_step(x, {"y": y})
            values = logger.getkvs()
            losses.append(float(values["loss"]))
            norms.append(float(values["grad_norm"]))
            logger.dumpkvs()
            main.step += 1
        high, noise, _ = batch(8, 1, 64)
        process = create_gaussian_diffusion(steps=100, noise_schedule="linear")
        second = loop(upsampler, process, noise, "uniform")
        for _ in range(2):
            second.run_step(high, {"low_res": batch(9, 1, 16)[0]})
            losses.append(float(logger.getkvs()["loss"]))
            logger.dumpkvs()
    return {
        "losses": losses,
        "norms": norms,
        "weight": model.time_embed[0].weight,
        "ema": main.ema_params[0][0],
        "state": main._master_params_to_state_dict(main.ema_params[1])["out.2.bias"],
        "upsampler": upsampler.time_embed[0].weight,
    }
