import os
import sys
import types

import librosa.filters  # noqa: F401
import numpy as np
import torch
from torch.utils.data import DataLoader

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import parallel_wavegan.models  # noqa: E402
import parallel_wavegan.optimizers  # noqa: E402
from parallel_wavegan.bin.train import Collater, Trainer  # noqa: E402
from parallel_wavegan.datasets import AudioMelDataset  # noqa: E402
from parallel_wavegan.layers import PQMF  # noqa: E402
from parallel_wavegan.losses import (  # noqa: E402
    DiscriminatorAdversarialLoss,
    FeatureMatchLoss,
    GeneratorAdversarialLoss,
    MelSpectrogramLoss,
    MultiResolutionSTFTLoss,
)

HOP, STEPS, MELS = 16, 320, 8

shared = {
    "distributed": False, "rank": 0, "sampling_rate": 16000, "batch_size": 2, "batch_max_steps": STEPS, "hop_size": HOP,
    "train_max_steps": 4, "save_interval_steps": 2, "eval_interval_steps": 2, "log_interval_steps": 1,
    "num_save_intermediate_results": 0, "generator_grad_norm": 10, "discriminator_grad_norm": 1,
    "generator_scheduler_params": {"step_size": 2, "gamma": 0.5},
    "discriminator_scheduler_params": {"step_size": 3, "gamma": 0.5}, "discriminator_train_start_steps": 0,
    "stft_loss_params": {
        "fft_sizes": [64, 128, 32], "hop_sizes": [12, 24, 5], "win_lengths": [60, 120, 24], "window": "hann_window",
    },
    "use_subband_stft_loss": False, "use_feat_match_loss": False, "use_mel_loss": False, "use_stft_loss": True,
    "use_duration_loss": False, "lambda_adv": 4.0,
}  # fmt: skip
wavegan = {
    **shared, "outdir": "wavegan",
    "generator_params": {
        "in_channels": 1, "out_channels": 1, "kernel_size": 3, "layers": 4, "stacks": 2, "residual_channels": 8,
        "gate_channels": 16, "skip_channels": 8, "aux_channels": MELS, "aux_context_window": 2, "dropout": 0.0,
        "use_weight_norm": True, "upsample_net": "ConvInUpsampleNetwork", "upsample_params": {"upsample_scales": [4, 4]},
    },
    "discriminator_params": {
        "in_channels": 1, "out_channels": 1, "kernel_size": 3, "layers": 4, "conv_channels": 8, "bias": True,
        "use_weight_norm": True, "nonlinear_activation": "LeakyReLU",
        "nonlinear_activation_params": {"negative_slope": 0.2},
    },
    "generator_optimizer_params": {"lr": 0.001, "eps": 1.0e-6, "weight_decay": 0.0},
    "discriminator_optimizer_params": {"lr": 0.0005, "eps": 1.0e-6, "weight_decay": 0.0},
}  # fmt: skip
hifigan = {
    **shared, "outdir": "hifigan", "generator_type": "HiFiGANGenerator",
    "discriminator_type": "HiFiGANMultiScaleMultiPeriodDiscriminator",
    "generator_params": {
        "in_channels": MELS, "out_channels": 1, "channels": 16, "kernel_size": 7, "upsample_scales": [4, 4],
        "upsample_kernel_sizes": [8, 8], "resblock_kernel_sizes": [3, 5], "resblock_dilations": [[1, 3], [1, 3]],
        "use_additional_convs": True, "bias": True, "nonlinear_activation": "LeakyReLU",
        "nonlinear_activation_params": {"negative_slope": 0.1}, "use_weight_norm": True,
    },
    "discriminator_params": {
        "scales": 2, "scale_downsample_pooling": "AvgPool1d",
        "scale_downsample_pooling_params": {"kernel_size": 4, "stride": 2, "padding": 2},
        "scale_discriminator_params": {
            "in_channels": 1, "out_channels": 1, "kernel_sizes": [15, 41, 5, 3], "channels": 8,
            "max_downsample_channels": 16, "max_groups": 4, "bias": True, "downsample_scales": [4, 4, 1],
            "nonlinear_activation": "LeakyReLU", "nonlinear_activation_params": {"negative_slope": 0.1},
        },
        "follow_official_norm": False, "periods": [2, 3],
        "period_discriminator_params": {
            "in_channels": 1, "out_channels": 1, "kernel_sizes": [5, 3], "channels": 4, "downsample_scales": [3, 3, 1],
            "max_downsample_channels": 16, "bias": True, "nonlinear_activation": "LeakyReLU",
            "nonlinear_activation_params": {"negative_slope": 0.1}, "use_weight_norm": True, "use_spectral_norm": False,
        },
    },
    "use_stft_loss": False, "use_mel_loss": True, "use_feat_match_loss": True, "lambda_aux": 45.0, "lambda_adv": 1.0,
    "lambda_feat_match": 2.0,
    "mel_loss_params": {
        "fs": 16000, "fft_size": 128, "hop_size": HOP, "win_length": None, "window": "hann", "num_mels": MELS,
        "fmin": 0, "fmax": 8000, "log_base": None,
    },
    "feat_match_loss_params": {
        "average_by_discriminators": False, "average_by_layers": False, "include_final_outputs": False,
    },
    "generator_adv_loss_params": {"average_by_discriminators": False},
    "discriminator_adv_loss_params": {"average_by_discriminators": False},
    "generator_optimizer_type": "Adam", "generator_optimizer_params": {"lr": 0.002, "betas": [0.5, 0.9]},
    "discriminator_optimizer_type": "Adam", "discriminator_optimizer_params": {"lr": 0.002, "betas": [0.5, 0.9]},
    "generator_scheduler_type": "MultiStepLR", "generator_scheduler_params": {"gamma": 0.5, "milestones": [1, 3]},
    "discriminator_scheduler_type": "MultiStepLR",
    "discriminator_scheduler_params": {"gamma": 0.5, "milestones": [1, 3]}, "generator_grad_norm": -1,
    "discriminator_grad_norm": -1,
}  # fmt: skip
melgan = {
    **shared, "outdir": "melgan", "generator_type": "MelGANGenerator",
    "discriminator_type": "MelGANMultiScaleDiscriminator",
    "generator_params": {
        "in_channels": MELS, "out_channels": 4, "kernel_size": 7, "channels": 16, "upsample_scales": [2, 2],
        "stack_kernel_size": 3, "stacks": 2, "use_final_nonlinear_activation": True,
    },
    "discriminator_params": {
        "in_channels": 1, "out_channels": 1, "scales": 2, "downsample_pooling": "AvgPool1d",
        "downsample_pooling_params": {"kernel_size": 4, "stride": 2, "padding": 1, "count_include_pad": False},
        "kernel_sizes": [5, 3], "channels": 8, "max_downsample_channels": 32, "downsample_scales": [4, 4],
        "nonlinear_activation": "LeakyReLU", "nonlinear_activation_params": {"negative_slope": 0.2},
    },
    "use_subband_stft_loss": True,
    "subband_stft_loss_params": {
        "fft_sizes": [24, 48], "hop_sizes": [3, 6], "win_lengths": [15, 30], "window": "hann_window",
    },
    "generator_optimizer_type": "Adam", "generator_optimizer_params": {"lr": 0.001, "amsgrad": True},
    "discriminator_optimizer_type": "Adam", "discriminator_optimizer_params": {"lr": 0.001, "amsgrad": True},
}  # fmt: skip
CONFIGS = (wavegan, hifigan, melgan)


def write_dump():
    os.makedirs("dump", exist_ok=True)
    for number in range(4):
        rng = np.random.RandomState(number)
        frames = 28 + number
        np.save("dump/%d-wave.npy" % number, (rng.randn(frames * HOP) * 0.3).astype("float32"))
        np.save("dump/%d-feats.npy" % number, rng.randn(frames, MELS).astype("float32"))


def models_of(config):
    generator_class = getattr(parallel_wavegan.models, config.get("generator_type", "ParallelWaveGANGenerator"))
    discriminator_class = getattr(
        parallel_wavegan.models, config.get("discriminator_type", "ParallelWaveGANDiscriminator")
    )
    return generator_class(**config["generator_params"]), discriminator_class(**config["discriminator_params"])


def build():
    return tuple(net for config in CONFIGS for net in models_of(config))


def init():
    torch.manual_seed(1)
    generator, discriminator = models_of(melgan)
    return {
        "first": generator.melgan[1].weight_v,
        "discriminator": discriminator.discriminators[0].layers[1][0].weight_v,
    }


class QuietCollater(Collater):
    """The noise that Parallel WaveGAN starts from is drawn with NumPy, and the cut with a seed of its own."""

    def __call__(self, batch):
        np.random.seed(len(batch[0][0]))
        inputs, y = super().__call__(batch)
        if self.use_noise_input:
            noise = np.random.RandomState(5).randn(*y.shape).astype("float32")
            inputs = (torch.from_numpy(noise), *inputs[1:])
        return inputs, y


def loader_of(config):
    context = config["generator_params"].get("aux_context_window", 0)
    dataset = AudioMelDataset(
        root_dir="dump", audio_query="*-wave.npy", audio_load_fn=np.load, mel_query="*-feats.npy", mel_load_fn=np.load,
        mel_length_threshold=STEPS // HOP + 2 * context,
    )  # fmt: skip
    collater = QuietCollater(
        batch_max_steps=config["batch_max_steps"], hop_size=config["hop_size"], aux_context_window=context,
        use_noise_input="generator_type" not in config,
    )  # fmt: skip
    return DataLoader(
        dataset=dataset, shuffle=False, collate_fn=collater, batch_size=config["batch_size"], num_workers=0, sampler=None,
        pin_memory=False,
    )  # fmt: skip


def trainer_of(config, generator, discriminator):
    """What main() of bin/train.py sets up."""
    device = torch.device("cpu")
    loader = loader_of(config)
    model = {"generator": generator.to(device), "discriminator": discriminator.to(device)}
    criterion = {
        "gen_adv": GeneratorAdversarialLoss(**config.get("generator_adv_loss_params", {})).to(device),
        "dis_adv": DiscriminatorAdversarialLoss(**config.get("discriminator_adv_loss_params", {})).to(device),
        "mse": torch.nn.MSELoss().to(device),
    }
    if config["use_stft_loss"]:
        criterion["stft"] = MultiResolutionSTFTLoss(**config["stft_loss_params"]).to(device)
    if config["use_subband_stft_loss"]:
        criterion["sub_stft"] = MultiResolutionSTFTLoss(**config["subband_stft_loss_params"]).to(device)
    if config["use_feat_match_loss"]:
        criterion["feat_match"] = FeatureMatchLoss(**config.get("feat_match_loss_params", {})).to(device)
    if config["use_mel_loss"]:
        criterion["mel"] = MelSpectrogramLoss(**config["mel_loss_params"]).to(device)
    if config["generator_params"]["out_channels"] > 1:
        criterion["pqmf"] = PQMF(subbands=config["generator_params"]["out_channels"], **config.get("pqmf_params", {}))
    optimizer, scheduler = {}, {}
    for name in ("generator", "discriminator"):
        optimizer_class = getattr(parallel_wavegan.optimizers, config.get(name + "_optimizer_type", "RAdam"))
        optimizer[name] = optimizer_class(model[name].parameters(), **config[name + "_optimizer_params"])
        scheduler_class = getattr(torch.optim.lr_scheduler, config.get(name + "_scheduler_type", "StepLR"))
        scheduler[name] = scheduler_class(optimizer=optimizer[name], **config[name + "_scheduler_params"])
    return Trainer(
        steps=0, epochs=0, data_loader={"train": loader, "dev": loader}, sampler={"train": None, "dev": None},
        model=model, criterion=criterion, optimizer=optimizer, scheduler=scheduler, config=config, device=device,
    )  # fmt: skip


class Kept:
    """A writer that keeps what it is given."""

    def __init__(self):
        self.scalars = {}

    def add_scalar(self, key, value, steps):
        self.scalars.setdefault(key, []).append(float(value))


def mel(seed, frames=12):
    return torch.from_numpy(np.random.RandomState(seed).randn(2, MELS, frames).astype("float32"))


def wave(seed, samples=160):
    return torch.from_numpy(np.random.RandomState(seed).randn(2, 1, samples).astype("float32") * 0.3)


def forward(wave_g, wave_d, hifi_g, hifi_d, mel_g, mel_d):
    for net in (wave_g, wave_d, hifi_g, hifi_d, mel_g, mel_d):
        net.eval()
    write_dump()
    pqmf = PQMF(4)
    stft = MultiResolutionSTFTLoss(**shared["stft_loss_params"])
    inference = np.random.RandomState(7).randn(9, MELS).astype("float32")
    return {
        "wavegan": lambda: wave_g(wave(0, 8 * HOP), mel(1)),
        "wavegan_discriminator": lambda: wave_d(wave(1)),
        "hifigan": lambda: hifi_g(mel(2)),
        "hifigan_discriminator": lambda: torch.stack([out[-1].mean() for out in hifi_d(wave(3, 480))]),
        "hifigan_inference": lambda: hifi_g.inference(inference),
        "melgan": lambda: mel_g(mel(4)),
        "melgan_features": lambda: torch.stack([one.abs().mean() for out in mel_d(wave(5, 480)) for one in out]),
        "analysis": lambda: pqmf.analysis(wave(6)),
        "synthesis": lambda: pqmf.synthesis(pqmf.analysis(wave(6))),
        "stft": lambda: torch.stack(stft(wave(7, 480), wave(8, 480))),
        "mel_loss": lambda: MelSpectrogramLoss(**hifigan["mel_loss_params"])(wave(7, 480), wave(8, 480)),
        "batch": lambda: [inputs[-1] for inputs, _ in loader_of(wavegan)][1],
        "cut": lambda: torch.cat([y for _, y in loader_of(hifigan)]),
    }


def train(*nets):
    write_dump()
    results = {}
    for number, config in enumerate(CONFIGS):
        name = config["outdir"]
        generator, discriminator = nets[2 * number : 2 * number + 2]
        trainer = trainer_of(config, generator, discriminator)
        trainer.writer = Kept()
        trainer._genearete_and_save_intermediate_result = types.MethodType(lambda self, batch: None, trainer)
        trainer.run()
        for key, values in trainer.writer.scalars.items():
            results[name + "_" + key.replace("/", "_")] = values
        results[name + "_rate"] = float(trainer.optimizer["generator"].param_groups[0]["lr"])
        results[name + "_steps"] = np.array([trainer.steps, trainer.epochs])
        weights = generator.state_dict()
        first = sorted(weights)[0]
        results[name + "_weight"] = weights[first].clone()
        again = trainer_of(config, *models_of(config))
        again.writer = Kept()
        again.load_checkpoint(os.path.join(name, "checkpoint-2steps.pkl"))
        results[name + "_resumed"] = np.array([again.steps, again.epochs])
        again._genearete_and_save_intermediate_result = types.MethodType(lambda self, batch: None, again)
        again.run()
        results[name + "_resumed_weight"] = again.model["generator"].state_dict()[first]
    return results
