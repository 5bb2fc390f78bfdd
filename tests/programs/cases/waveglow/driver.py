import copy

import numpy as np
import torch

import train as waveglow_train
from glow import WaveGlow, WaveGlowLoss
from mel2samp import files_to_list

config = dict(
    n_mel_channels=4, n_flows=4, n_group=8, n_early_every=2, n_early_size=2,
    WN_config=dict(n_layers=2, n_channels=8, kernel_size=3),
)  # fmt: skip
waveglow_train.waveglow_config = config


def build():
    return WaveGlow(**config)


def init():
    torch.manual_seed(1)
    model = WaveGlow(**config)
    weight = model.convinv[0].conv.weight.squeeze()
    return {"upsample": model.upsample.weight, "orthonormal": weight @ weight.t() + 0.0}


def batch(seed):
    rng = np.random.RandomState(seed)
    mel, audio = rng.randn(2, 4, 8), rng.uniform(-1, 1, (2, 2048))
    return torch.from_numpy(mel.astype("float32")), torch.from_numpy(audio.astype("float32"))


def forward(model):
    model.eval()
    z, log_s, log_det = model(batch(0))

    def inferred():
        with torch.no_grad():
            return model.infer(batch(1)[0], sigma=0.0)

    def without_weight_norm():
        plain = WaveGlow.remove_weightnorm(copy.deepcopy(model))
        return plain(batch(0))[0]

    def files():
        with open("names.txt", "w", encoding="utf-8") as f:
            f.write("a.wav\nb.wav\n")
        return [len(name) for name in files_to_list("names.txt")]

    return {
        "z": z,
        "log_s": log_s,
        "log_det": log_det,
        "loss": lambda: WaveGlowLoss(0.7)((z, log_s, [value.clone() for value in log_det])),
        "inferred": inferred,
        "without_weight_norm": without_weight_norm,
        "files": files,
    }


def train(model):
    """The steps of train.train, which itself wants a GPU."""
    criterion = WaveGlowLoss(1.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    model.train()
    losses = []
    for iteration in range(4):
        model.zero_grad()
        mel, audio = batch(iteration)
        mel = torch.autograd.Variable(mel)
        audio = torch.autograd.Variable(audio)
        outputs = model((mel, audio))
        loss = criterion(outputs)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    return {
        "losses": losses,
        "start": model.WN[0].start.weight_v,
        "gain": model.WN[1].in_layers[0].weight_g,
        "mix": model.convinv[2].conv.weight,
        "upsample": model.upsample.weight,
    }
