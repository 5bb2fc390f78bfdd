import os
import random
import sys
import tempfile

import numpy as np
import scipy.io.wavfile
import torch

from mel2wav.dataset import AudioDataset
from mel2wav.interface import MelVocoder
from mel2wav.modules import Audio2Mel, Discriminator, Generator, ResnetBlock
from scripts import train as program

RATE, MELS, SEGMENT = 22050, 20, 2048


def build():
    return Generator(MELS, 4, 2), Discriminator(2, 16, 4, 4), ResnetBlock(6, dilation=3)


def init():
    torch.manual_seed(2)
    net = Generator(MELS, 8, 1)
    return {"first": net.model[1].weight_v, "gain": net.model[1].weight_g, "up": net.model[3].weight_v}


def sound(seed, count=2, length=SEGMENT):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-0.8, 0.8, (count, 1, length)).astype("float32"))


def forward(generator, discriminator, block):
    mels = Audio2Mel(n_mel_channels=MELS)(sound(0))
    outputs = {
        "mels": mels,
        "generated": generator(mels),
        "block": lambda: block(torch.from_numpy(np.random.RandomState(1).randn(2, 6, 12).astype("float32"))),
    }
    for index, scale in enumerate(discriminator(sound(2))):
        outputs[f"scale_{index}"] = scale
    return outputs


def write_files(folder):
    for split, lengths in (("train", (3000, 2500, 1500, 4000)), ("test", (2600,))):
        names = []
        for index, length in enumerate(lengths):
            names.append(f"{split}_{index}.wav")
            time = np.arange(length) / RATE
            wave = 0.4 * np.sin(2 * np.pi * (220 + 90 * index) * time) + 0.2 * np.sin(2 * np.pi * 1300 * time)
            scipy.io.wavfile.write(os.path.join(folder, names[-1]), RATE, (wave * 32767).astype("int16"))
        with open(os.path.join(folder, f"{split}_files.txt"), "w") as file:
            file.write("\n".join(names) + "\n")


def train(generator, discriminator, block):
    results = {}
    arguments = sys.argv
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        saved = os.path.join(folder, "saved")
        program.Generator = lambda *sizes: generator
        program.Discriminator = lambda *sizes: discriminator
        sys.argv = ["train.py", "--save_path", saved, "--data_path", folder, *(
            "--n_mel_channels 20 --ngf 4 --n_residual_layers 2 --ndf 16 --num_D 2 --n_layers_D 4 --batch_size 2 "
            "--seq_len 2048 --epochs 2 --log_interval 2 --save_interval 2 --n_test_samples 1"
        ).split()]  # fmt: skip
        try:
            np.random.seed(0)
            program.main()
            np.random.seed(1)
            # Taken up where it ended, with both optimizers.
            sys.argv += ["--load_path", saved]
            sys.argv[sys.argv.index("--epochs") + 1] = "1"
            program.main()
        finally:
            sys.argv = arguments
        random.seed(4)
        data = AudioDataset(os.path.join(folder, "train_files.txt"), SEGMENT, RATE, augment=False)
        results["item"] = data[2]
        best = torch.load(os.path.join(saved, "best_netG.pt"))
    with torch.no_grad():
        results["mels"] = Audio2Mel(n_mel_channels=MELS)(generator(Audio2Mel(n_mel_channels=MELS)(sound(3))))
    results["first"] = generator.model[1].weight_v
    results["gain"] = generator.model[3].weight_g
    results["judge"] = discriminator.model["disc_0"].model["layer_1"][0].weight_v
    results["best"] = best["model.1.weight_g"]
    results["vocoder"] = np.array([callable(MelVocoder.inverse)])
    return results
