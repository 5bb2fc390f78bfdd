import itertools

import numpy as np
import torch
import torch.nn.functional as F

from env import AttrDict
from meldataset import mel_spectrogram
from models import (
    Generator,
    MultiPeriodDiscriminator,
    MultiScaleDiscriminator,
    discriminator_loss,
    feature_loss,
    generator_loss,
)

h = AttrDict(
    resblock="2",
    learning_rate=0.0002,
    adam_b1=0.8,
    adam_b2=0.99,
    lr_decay=0.999,
    upsample_rates=[8, 8],
    upsample_kernel_sizes=[16, 16],
    upsample_initial_channel=32,
    resblock_kernel_sizes=[3, 5],
    resblock_dilation_sizes=[[1, 2], [2, 6]],
    segment_size=512,
    num_mels=80,
    n_fft=256,
    hop_size=64,
    win_size=256,
    sampling_rate=22050,
    fmin=0,
    fmax=8000,
    fmax_for_loss=None,
)


def build():
    generator, mpd, msd = Generator(h), MultiPeriodDiscriminator(), MultiScaleDiscriminator()
    # The widths of the discriminators are fixed; two of each kind are enough here.
    mpd.discriminators = mpd.discriminators[:2]
    msd.discriminators = msd.discriminators[:2]
    return generator, mpd, msd


def audio(seed):
    rng = np.random.RandomState(seed)
    time = np.arange(h.segment_size) / h.sampling_rate
    waves = [np.sin(2 * np.pi * rng.uniform(100, 4000) * time) for _ in range(2)]
    return torch.from_numpy(
        (0.5 * np.stack(waves) + 0.05 * rng.randn(2, h.segment_size)).clip(-1, 1).astype("float32")
    )


def mel(y, fmax):
    return mel_spectrogram(y, h.n_fft, h.num_mels, h.sampling_rate, h.hop_size, h.win_size, h.fmin, fmax)


def init():
    torch.manual_seed(1)
    generator = Generator(h)
    return {"ups": generator.ups[0].bias, "resblock": generator.resblocks[0].convs[0].bias}


def forward(generator, mpd, msd):
    generator.eval()  # not the discriminators: spectral norm first has to find its vectors
    y = audio(0)
    x = mel(y, h.fmax)
    y_hat = generator(x)
    return {
        "mel": x,
        "audio": y_hat,
        "mpd": lambda: mpd(y.unsqueeze(1), y_hat)[1],
        "msd": lambda: msd(y.unsqueeze(1), y_hat)[1],
    }


def train(generator, mpd, msd):
    """The steps of train.train, which itself wants a GPU."""
    optim_g = torch.optim.AdamW(generator.parameters(), h.learning_rate, betas=[h.adam_b1, h.adam_b2])
    optim_d = torch.optim.AdamW(
        itertools.chain(msd.parameters(), mpd.parameters()), h.learning_rate, betas=[h.adam_b1, h.adam_b2]
    )
    scheduler_g = torch.optim.lr_scheduler.ExponentialLR(optim_g, gamma=h.lr_decay)
    scheduler_d = torch.optim.lr_scheduler.ExponentialLR(optim_d, gamma=h.lr_decay)
    generator.train()
    mpd.train()
    msd.train()
    losses = {"generator": [], "discriminator": [], "mel": []}
    for step in range(3):
        y = audio(step)
        x, y_mel = mel(y, h.fmax), mel(y, h.fmax_for_loss)
        y = y.unsqueeze(1)

        y_g_hat = generator(x)
        y_g_hat_mel = mel(y_g_hat.squeeze(1), h.fmax_for_loss)

        optim_d.zero_grad()
        y_df_hat_r, y_df_hat_g, _, _ = mpd(y, y_g_hat.detach())
        loss_disc_f, losses_disc_f_r, losses_disc_f_g = discriminator_loss(y_df_hat_r, y_df_hat_g)
        y_ds_hat_r, y_ds_hat_g, _, _ = msd(y, y_g_hat.detach())
        loss_disc_s, losses_disc_s_r, losses_disc_s_g = discriminator_loss(y_ds_hat_r, y_ds_hat_g)
        loss_disc_all = loss_disc_s + loss_disc_f
        loss_disc_all.backward()
        optim_d.step()

        optim_g.zero_grad()
        loss_mel = F.l1_loss(y_mel, y_g_hat_mel) * 45
        y_df_hat_r, y_df_hat_g, fmap_f_r, fmap_f_g = mpd(y, y_g_hat)
        y_ds_hat_r, y_ds_hat_g, fmap_s_r, fmap_s_g = msd(y, y_g_hat)
        loss_fm_f = feature_loss(fmap_f_r, fmap_f_g)
        loss_fm_s = feature_loss(fmap_s_r, fmap_s_g)
        loss_gen_f, losses_gen_f = generator_loss(y_df_hat_g)
        loss_gen_s, losses_gen_s = generator_loss(y_ds_hat_g)
        loss_gen_all = loss_gen_s + loss_gen_f + loss_fm_s + loss_fm_f + loss_mel
        loss_gen_all.backward()
        optim_g.step()

        scheduler_g.step()
        scheduler_d.step()
        losses["generator"].append(loss_gen_all.item())
        losses["discriminator"].append(loss_disc_all.item())
        losses["mel"].append(loss_mel.item())
    return {
        **losses,
        "generator_bias": generator.conv_pre.bias,
        "mpd_bias": mpd.discriminators[0].convs[0].bias,
    }
