import contextlib
import copy
import os

import numpy as np
import torch

from denoising_diffusion_pytorch import GaussianDiffusion, KarrasUnet, Unet
from denoising_diffusion_pytorch import denoising_diffusion_pytorch as ddp

SIZE = 16
rng = np.random.RandomState(0)
PICTURE = rng.rand(3, SIZE, SIZE).astype("float32")


def noise(seed, count=16):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, 3, SIZE, SIZE).astype("float32"))


def pictures(seed, count=4):
    return torch.from_numpy(np.random.RandomState(seed).rand(count, 3, SIZE, SIZE).astype("float32"))


class Decided(GaussianDiffusion):
    """Times and noise at random are decided here."""

    drawn = 0

    def random_times(self, batch_size):
        self.drawn += 1
        return torch.from_numpy(np.random.RandomState(self.drawn).randint(0, self.num_timesteps, batch_size))

    def p_losses(self, x_start, t, **kwargs):
        return super().p_losses(x_start, t, noise=noise(self.drawn, len(x_start)), **kwargs)


class Alike(torch.utils.data.Dataset):
    """Pictures that are all alike: they are shuffled."""

    def __init__(self, folder, image_size, augment_horizontal_flip=False, convert_image_to=None):
        assert not augment_horizontal_flip and convert_image_to == "RGB"

    def __len__(self):
        return 128

    def __getitem__(self, index):
        return torch.from_numpy(PICTURE)


class Accelerator:
    """What accelerate is on one CPU."""

    is_main_process = is_local_main_process = True
    scaler = None

    def __init__(self, split_batches=False, mixed_precision="no"):
        self.device = torch.device("cpu")

    def prepare(self, *objects):
        return objects[0] if len(objects) == 1 else objects

    def autocast(self):
        return contextlib.nullcontext()

    def backward(self, loss):
        loss.backward()

    def clip_grad_norm_(self, parameters, most):
        torch.nn.utils.clip_grad_norm_(parameters, most)

    def wait_for_everyone(self):
        pass

    def get_state_dict(self, model):
        return model.state_dict()

    def unwrap_model(self, model):
        return model

    def print(self, *words):
        pass


class EMA(torch.nn.Module):
    """The mean of the weights, as ema_pytorch keeps it, from the first step on."""

    def __init__(self, model, beta, update_every):
        super().__init__()
        self.beta = beta
        self.online_model = [model]
        self.ema_model = copy.deepcopy(model)
        for parameter in self.ema_model.parameters():
            parameter.requires_grad_(False)

    @torch.no_grad()
    def update(self):
        for mean, now in zip(self.ema_model.parameters(), self.online_model[0].parameters()):
            mean.data.lerp_(now.data, 1 - self.beta)


ddp.Accelerator, ddp.EMA, ddp.Dataset, ddp.cpu_count = Accelerator, EMA, Alike, lambda: 0


def build():
    return (
        Decided(
            Unet(dim=8, dim_mults=(1, 2), attn_dim_head=4, attn_heads=2, flash_attn=False), image_size=SIZE, timesteps=20,
        ),
        Decided(
            Unet(dim=8, dim_mults=(1, 2), attn_dim_head=4, attn_heads=2, self_condition=True, full_attn=(False, True)),
            image_size=SIZE, timesteps=20, sampling_timesteps=5, objective="pred_noise", beta_schedule="cosine",
            min_snr_loss_weight=True,
        ),
        KarrasUnet(image_size=SIZE, channels=3, dim=8, dim_max=16, num_downsamples=1, num_blocks_per_stage=1, attn_res=(8,), attn_dim_head=4),
    )  # fmt: skip


def forward(first, second, karras):
    for net in (first, second, karras):
        net.eval()
    times = torch.tensor([0, 3, 11, 19])
    x = pictures(0) * 2 - 1

    def predictions(diffusion):
        predicted = diffusion.model_predictions(x, times, clip_x_start=True, rederive_pred_noise=True)
        return list(predicted)

    return {
        "unet": lambda: first.model(x, times),
        "conditioned": lambda: second.model(x, times, noise(1, 4)),
        "predictions": lambda: predictions(first),
        "predictions_of_noise": lambda: predictions(second),
        "noisy": lambda: first.q_sample(x, times, noise(2, 4)),
        "posterior": lambda: list(first.q_posterior(x, noise(3, 4), times)),
        "mean": lambda: list(first.p_mean_variance(noise(3, 4), times)),
        "loss": lambda: first.p_losses(x, times, loss_reduction="none"),
        "betas": [ddp.linear_beta_schedule(10), ddp.cosine_beta_schedule(10), ddp.sigmoid_beta_schedule(10)],
        "last_sample": lambda: list(first.p_sample(x, 0)),
        "karras": lambda: karras(x, torch.tensor([0.1, 0.2, 0.3, 0.4])),
    }


def train(first, second, karras):
    os.makedirs("results", exist_ok=True)
    first.drawn = second.drawn = 0
    trainer = ddp.Trainer(
        first, "pictures", train_batch_size=8, gradient_accumulate_every=2, augment_horizontal_flip=False, train_lr=1e-3,
        train_num_steps=3, ema_decay=0.9, num_samples=4, calculate_fid=False,
    )  # fmt: skip
    trainer.train()
    trainer.save(1)
    kept = torch.load("results/model-1.pt", weights_only=False)
    optimizer = torch.optim.Adam(second.parameters(), lr=1e-3)
    losses = []
    for step in range(3):
        optimizer.zero_grad()
        loss = second(pictures(step))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    karras_optimizer = torch.optim.SGD(karras.parameters(), lr=1e-2)
    karras_losses = []
    for step in range(3):
        karras_optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(
            karras(pictures(step), torch.full((4,), 0.3)), pictures(10 + step)
        )
        loss.backward()
        karras_optimizer.step()
        karras_losses.append(loss.item())
    return {
        "step": trainer.step,
        "first": first.model.init_conv.weight,
        "memory": first.model.mid_attn.mem_kv,
        "time": first.model.time_mlp[1].weight,
        "average": trainer.ema.ema_model.model.final_conv.weight,
        "kept": kept["model"]["model.init_conv.weight"],
        "losses": losses,
        "second": second.model.downs[0][2].to_qkv.weight,
        "karras_losses": karras_losses,
        "karras": next(iter(karras.parameters())),
    }
