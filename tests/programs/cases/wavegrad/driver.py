import os
import pathlib
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent / "src"))

from wavegrad import inference  # noqa: E402
from wavegrad.dataset import Collator  # noqa: E402
from wavegrad.learner import WaveGradLearner, _nested_map  # noqa: E402
from wavegrad.model import FiLM, WaveGrad  # noqa: E402
from wavegrad.params import AttrDict, params as base_params  # noqa: E402


class Writer:
    def __init__(self):
        self.seen = []

    def add_audio(self, name, value, step, sample_rate):
        self.seen.append(value.sum())

    def add_scalar(self, name, value, step):
        self.seen.append(value)

    def flush(self):
        pass


def parameters():
    params = AttrDict(base_params)
    params.override(dict(crop_mel_frames=3, batch_size=2))
    return params


def build():
    return WaveGrad(parameters())


def init():
    torch.manual_seed(1)
    net = WaveGrad(parameters())
    return {
        "orthogonal": net.first_conv.weight,
        "dilated": net.upsample[1].block2[0].weight,
        "film": net.film[2].output_conv.weight,
        "zero": net.film[0].input_conv.bias.abs().sum() + net.last_conv.bias.abs().sum() + 1,
    }


def batches(params, count):
    """The dataset's collator on made-up recordings; one of each three is too short."""
    rng = np.random.RandomState(0)
    collator = Collator(params)
    result = []
    for _ in range(count):
        records = [
            {
                "audio": (0.3 * rng.randn(frames * params.hop_samples - 7)).astype("float32"),
                "spectrogram": rng.rand(frames, 128).astype("float32"),
            }
            for frames in (3, 2, 3)
        ]
        result.append(collator.collate(records))
    return result


def forward(net):
    net.eval()
    features = batches(net.params, 1)[0]
    level = torch.tensor([0.3, 0.9])
    return {
        "net": lambda: net(features["audio"], features["spectrogram"], level),
        "film": lambda: list(net.film[0](torch.ones(2, 32, 5), level)),
        "encoding": lambda: net.film[1].encoding(torch.zeros(2, 128, 3), level),
        "down": lambda: net.downsample[1](torch.ones(2, 32, 13) * torch.arange(13)),
        "shapes": lambda: [len(list(FiLM(4, 6).parameters())), *features["audio"].shape],
    }


def train(net):
    np.random.seed(2)
    dataset = batches(net.params, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.0005)
    nested = _nested_map({"a": [torch.ones(2), (torch.zeros(1), 3)]}, lambda x: x + 1)
    with tempfile.TemporaryDirectory() as folder:
        learner = WaveGradLearner(folder, net, dataset, optimizer, net.params, fp16=False)
        learner.summary_writer = Writer()
        learner.restore_from_checkpoint()
        learner.train(max_steps=3)
        again = WaveGradLearner(folder, net, dataset, optimizer, net.params, fp16=False)
        results = {
            "seen": learner.summary_writer.seen,
            "norm": learner.grad_norm,
            "up": net.upsample[4].block3[1].weight,
            "down": net.downsample[0].weight,
            "film": net.film[3].output_conv.bias,
        }
        again.restore_from_checkpoint()
        results["steps"] = [learner.step, again.step, len(os.listdir(folder))]
        # main() gives noise schedules of six steps, and 1,000 are too many here
        audio, rate = inference.predict(
            dataset[0]["spectrogram"][0], model_dir=folder, params={"noise_schedule": np.linspace(1e-4, 0.5, 4)},
            device=torch.device("cpu"),
        )  # fmt: skip
        results["predicted"] = [audio, rate]
    results["nested"] = nested["a"][0]
    return results
