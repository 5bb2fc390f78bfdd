import numpy as np
import torch as th
import torch.distributed as dist

from cm import logger, train_util
from cm.karras_diffusion import KarrasDenoiser, get_sigmas_karras, karras_sample
from cm.nn import update_ema
from cm.resample import create_named_schedule_sampler
from cm.script_util import create_ema_and_scales_fn, create_model_and_diffusion, model_and_diffusion_defaults
from cm.train_util import CMTrainLoop

SIZE, BATCH = 16, 4
SMALL = dict(
    model_and_diffusion_defaults(), image_size=SIZE, num_channels=32, num_res_blocks=1, channel_mult="1,2", num_heads=2,
    attention_resolutions="8", class_cond=True, resblock_updown=True, weight_schedule="uniform",
)  # fmt: skip
logger.configure(dir="logs", format_strs=["csv"])


class OneProcess:
    """What torch.distributed says where one process trains."""

    def get_world_size(self):
        return 1

    def get_rank(self):
        return 0

    def broadcast(self, tensor, src):
        pass

    def barrier(self):
        pass


alone = OneProcess()
train_util.dist = alone
train_util.dist_util.dist = alone


def values(seed, *shape):
    return th.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def denoiser():
    return KarrasDenoiser(sigma_data=0.5, weight_schedule="uniform", distillation=True, loss_norm="l2")


def build():
    return tuple(
        create_model_and_diffusion(**SMALL, distillation=distilled)[0] for distilled in (True, True, False)
    )


def pictures(seed):
    return th.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (BATCH, 3, SIZE, SIZE)).astype("float32"))


def labels(seed):
    return th.from_numpy(np.random.RandomState(seed).randint(0, 1000, BATCH))


def sampled(model, sampler, steps):
    class Quiet:
        def randn(self, *shape, device=None):
            return values(3, *shape)

        def randn_like(self, x):
            return values(4, *x.shape)

    return karras_sample(
        denoiser(), model, (BATCH, 3, SIZE, SIZE), steps, model_kwargs={"y": labels(0)}, device="cpu", sampler=sampler,
        generator=Quiet(), ts=(0, 3, 5),
    )  # fmt: skip


def forward(model, target, teacher):
    for net in (model, target, teacher):
        net.eval()
    sigmas = th.tensor([0.01, 0.5, 3.0, 40.0])
    diffusion = denoiser()
    return {
        "unet": model(pictures(0), th.tensor([0, 20, 50, 99]), labels(0)),
        "denoised": lambda: list(diffusion.denoise(model, pictures(1), sigmas, y=labels(1))),
        "sigmas": lambda: get_sigmas_karras(7, 0.002, 80.0, device="cpu"),
        "losses": lambda: list(
            diffusion.training_losses(
                model,
                pictures(0),
                sigmas,
                model_kwargs={"y": labels(0)},
                noise=values(2, BATCH, 3, SIZE, SIZE),
            ).values()
        ),
        "onestep": lambda: sampled(model, "onestep", 5),
        "heun": lambda: sampled(model, "heun", 3),
        "euler": lambda: sampled(model, "euler", 3),
        "multistep": lambda: sampled(model, "multistep", 7),
        "ancestral": lambda: sampled(model, "ancestral", 3),
    }


def batches():
    step = 0
    while True:
        yield pictures(10 + step), {"y": labels(step)}
        step += 1


class Loop(CMTrainLoop):
    def save(self):
        """Saving goes to a store of files that is not here."""

    def _update_target_ema(self):
        """As the repository's, for weights that are no half-precision ones in one row."""
        target_ema, scales = self.ema_scale_fn(self.global_step)
        with th.no_grad():
            update_ema(list(self.target_model.parameters()), self.mp_trainer.master_params, rate=target_ema)


def run(model, target, teacher, mode):
    diffusion = denoiser()
    loop = Loop(
        model=model, target_model=target, teacher_model=teacher, teacher_diffusion=denoiser(), training_mode=mode,
        ema_scale_fn=create_ema_and_scales_fn("adaptive", 0.9, "progressive", 4, 8, 3, 1), total_training_steps=3,
        diffusion=diffusion, data=batches(), batch_size=BATCH, microbatch=2, lr=1e-3, ema_rate="0.9,0.99",
        log_interval=100, save_interval=100, resume_checkpoint="", weight_decay=0.01,
        schedule_sampler=create_named_schedule_sampler("uniform", diffusion), lr_anneal_steps=3,
    )  # fmt: skip
    loop.run_loop()
    return loop


def train(model, target, teacher):
    np.random.seed(3)
    for dst, src in zip(target.parameters(), model.parameters()):
        dst.data.copy_(src.data)
    loop = run(model, target, teacher, "consistency_distillation")
    results = {
        "steps": [loop.step, loop.global_step],
        "rate": loop.opt.param_groups[0]["lr"],
        "weight": model.time_embed[0].weight,
        "out": model.out[2].weight,
        "target": target.time_embed[2].weight,
        "ema": loop.ema_params[0][0],
        "slow_ema": loop.ema_params[1][2],
    }
    logged = dict(logger.get_current().name2val) if hasattr(logger, "get_current") else {}
    results["logged"] = [logged[key] for key in ("loss", "grad_norm", "param_norm") if key in logged]
    return results
