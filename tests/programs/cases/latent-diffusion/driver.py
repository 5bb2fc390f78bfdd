import copy
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR

from ldm.lr_scheduler import LambdaLinearScheduler
from ldm.models.diffusion.ddim import DDIMSampler
from ldm.modules.diffusionmodules.model import Decoder, Encoder
from ldm.modules.diffusionmodules.openaimodel import UNetModel
from ldm.modules.diffusionmodules.util import extract_into_tensor, make_beta_schedule
from ldm.modules.distributions.distributions import DiagonalGaussianDistribution, normal_kl
from ldm.modules.ema import LitEma
from ldm.modules.x_transformer import TransformerWrapper
from ldm.modules.x_transformer import Encoder as TextEncoder
from ldm.util import count_params, instantiate_from_config

STEPS, WORDS = 20, 12
CODER = dict(
    ch=32, out_ch=3, ch_mult=(1, 2), num_res_blocks=1, attn_resolutions=[8], dropout=0.0, in_channels=3, resolution=16,
    z_channels=4, double_z=True,
)  # fmt: skip


class AutoencoderKL(torch.nn.Module):
    """The first stage without Lightning."""

    def __init__(self):
        super().__init__()
        self.encoder = Encoder(**CODER)
        self.decoder = Decoder(**CODER)
        self.quant_conv = torch.nn.Conv2d(8, 8, 1)
        self.post_quant_conv = torch.nn.Conv2d(4, 4, 1)

    def encode(self, x):
        return DiagonalGaussianDistribution(self.quant_conv(self.encoder(x)))

    def decode(self, z):
        return self.decoder(self.post_quant_conv(z))

    def forward(self, x, sample_posterior=True):
        posterior = self.encode(x)
        z = posterior.sample() if sample_posterior else posterior.mode()
        return self.decode(z), posterior


class LatentDiffusion(torch.nn.Module):
    """The second stage without Lightning: a UNet that looks at the words."""

    def __init__(self):
        super().__init__()
        self.model = instantiate_from_config(
            {
                "target": "ldm.modules.diffusionmodules.openaimodel.UNetModel",
                "params": dict(
                    image_size=8, in_channels=4, out_channels=4, model_channels=32, attention_resolutions=[2, 1],
                    num_res_blocks=1, channel_mult=[1, 2], num_heads=2, use_spatial_transformer=True,
                    transformer_depth=1, context_dim=16, use_checkpoint=True, legacy=False,
                ),
            }
        )  # fmt: skip
        self.words = TransformerWrapper(
            num_tokens=WORDS,
            max_seq_len=6,
            attn_layers=TextEncoder(dim=16, depth=1, heads=2),
            emb_dropout=0.0,
        )
        self.model_ema = LitEma(self.model, decay=0.9)
        self.num_timesteps = STEPS
        self.device = torch.device("cpu")
        betas = make_beta_schedule("linear", STEPS, linear_start=0.0015, linear_end=0.0195)
        cumulative = np.cumprod(1.0 - betas, axis=0)
        to_torch = partial(torch.tensor, dtype=torch.float32)
        self.register_buffer("betas", to_torch(betas))
        self.register_buffer("alphas_cumprod", to_torch(cumulative))
        self.register_buffer("alphas_cumprod_prev", to_torch(np.append(1.0, cumulative[:-1])))
        self.register_buffer("sqrt_alphas_cumprod", to_torch(np.sqrt(cumulative)))
        self.register_buffer("sqrt_one_minus_alphas_cumprod", to_torch(np.sqrt(1.0 - cumulative)))

    def apply_model(self, x, t, c):
        return self.model(x, t, context=c)

    def forward(self, z, tokens, t, noise):
        noisy = (
            extract_into_tensor(self.sqrt_alphas_cumprod, t, z.shape) * z
            + extract_into_tensor(self.sqrt_one_minus_alphas_cumprod, t, z.shape) * noise
        )
        c = self.words(tokens, return_embeddings=True)
        return F.mse_loss(self.apply_model(noisy, t, c), noise, reduction="none").mean([1, 2, 3]).mean()


def build():
    return AutoencoderKL(), LatentDiffusion()


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def sentence(seed):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, WORDS, (2, 6)))


def forward(first, second):
    first.eval()
    second.eval()
    x, z, t = numbers(0, 2, 3, 16, 16), numbers(1, 2, 4, 8, 8), torch.tensor([3, 17])
    context = second.words(sentence(0), return_embeddings=True)
    posterior = first.encode(x)

    def sampled():
        sampler = DDIMSampler(second)
        sampler.register_buffer = lambda name, value: setattr(sampler, name, value)
        samples, _ = sampler.sample(
            S=4, batch_size=2, shape=(4, 8, 8), conditioning=context, x_T=z, eta=0.0, verbose=False,
            unconditional_guidance_scale=2.0, unconditional_conditioning=torch.zeros_like(context),
        )  # fmt: skip
        return first.decode(samples)

    return {
        "decoded": lambda: first(x, sample_posterior=False)[0],
        "posterior": [posterior.mean, posterior.std, posterior.kl(), posterior.nll(z)],
        "kl": lambda: normal_kl(posterior.mean, posterior.logvar, 0.0, 0.5),
        "context": context,
        "unet": lambda: second.model(z, t, context=context),
        "sampled": sampled,
        "counted": [count_params(first), count_params(second)],
    }


def train(first, second):
    np.random.seed(2)
    optimizer = torch.optim.Adam(first.parameters(), lr=5e-4, betas=(0.5, 0.9))
    first.train()
    first_losses = []
    for step in range(3):
        x = numbers(10 + step, 2, 3, 16, 16)
        reconstructed, posterior = first(x)
        rec_loss = torch.abs(x.contiguous() - reconstructed.contiguous())
        kl_loss = posterior.kl()
        loss = torch.sum(rec_loss) / rec_loss.shape[0] + 1e-4 * torch.sum(kl_loss) / kl_loss.shape[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        first_losses.append(loss.item())

    opt = torch.optim.AdamW(second.parameters(), lr=1e-3)
    scheduler = LambdaLR(
        opt,
        lr_lambda=LambdaLinearScheduler(
            warm_up_steps=[2], cycle_lengths=[10], f_start=[0.1], f_max=[1.0], f_min=[0.5]
        ).schedule,
    )
    second.train()
    second_losses, rates = [], []
    for step in range(3):
        with torch.no_grad():
            z = first.encode(numbers(20 + step, 2, 3, 16, 16)).sample().detach()
        t = torch.from_numpy(np.random.randint(0, STEPS, 2))
        loss = second(z, sentence(step), t, noise=numbers(30 + step, 2, 4, 8, 8))
        opt.zero_grad()
        loss.backward()
        opt.step()
        scheduler.step()
        second.model_ema(second.model)
        second_losses.append(loss.item())
        rates.append(opt.param_groups[0]["lr"])

    kept = copy.deepcopy(second.model.time_embed[0].weight.detach())
    second.model_ema.store(second.model.parameters())
    second.model_ema.copy_to(second.model)
    averaged = second.model.time_embed[0].weight.detach().clone()
    second.model_ema.restore(second.model.parameters())
    return {
        "first_losses": first_losses,
        "encoder": first.encoder.conv_in.weight,
        "decoder": first.decoder.mid.block_1.conv1.weight,
        "second_losses": second_losses,
        "rates": rates,
        "time": kept,
        "averaged": averaged,
        "restored": second.model.time_embed[0].weight,
        "attention": second.model.middle_block[1].transformer_blocks[0].attn2.to_k.weight,
        "words": second.words.token_emb.weight,
        "updates": second.model_ema.num_updates,
    }


def init():
    return {"unet": UNetModel(8, 4, 32, 4, 1, [], channel_mult=[1], num_heads=1).input_blocks[0][0].weight}
