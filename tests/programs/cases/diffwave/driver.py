import os
import pathlib
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent / "src"))

from diffwave.dataset import Collator  # noqa: E402
from diffwave.learner import DiffWaveLearner, _nested_map  # noqa: E402
from diffwave.model import DiffWave  # noqa: E402
from diffwave.params import AttrDict, params as base_params  # noqa: E402


class Writer:
    def __init__(self):
        self.seen = []

    def add_audio(self, name, value, step, sample_rate):
        self.seen.append(value.sum())

    def add_image(self, name, value, step):
        self.seen.append(value[0, 0])

    def add_scalar(self, name, value, step):
        self.seen.append(value)

    def flush(self):
        pass


def parameters(unconditional):
    params = AttrDict(base_params)
    params.override(
        dict(
            residual_layers=3, residual_channels=8, dilation_cycle_length=2, n_mels=10, crop_mel_frames=3, batch_size=2,
            noise_schedule=np.linspace(1e-4, 0.05, 10).tolist(), unconditional=unconditional, audio_len=300,
        )
    )  # fmt: skip
    return params


def build():
    return DiffWave(parameters(False)), DiffWave(parameters(True))


def init():
    torch.manual_seed(1)
    net = DiffWave(AttrDict(base_params))
    return {
        "projection": net.residual_layers[0].diffusion_projection.weight,
        "conv": net.residual_layers[0].dilated_conv.weight,
        "upsampler": net.spectrogram_upsampler.conv1.weight,
    }


def batches(params, count):
    """The dataset's collator on made-up recordings."""
    rng = np.random.RandomState(0)
    collator = Collator(params)
    result = []
    for _ in range(count):
        length = 300 if params.unconditional else 3 * params.hop_samples
        records = [
            {
                "audio": (0.3 * rng.randn(length)).astype("float32"),
                "spectrogram": rng.rand(3, params.n_mels).astype("float32"),
            }
            for _ in range(2)
        ]
        result.append(collator.collate(records))
    return result


def forward(net, plain):
    net.eval()
    features = batches(net.params, 1)[0]
    audio = batches(plain.params, 1)[0]["audio"]
    return {
        "whole_steps": lambda: net(features["audio"], torch.tensor([3, 8]), features["spectrogram"]),
        "between_steps": lambda: net(features["audio"], torch.tensor([2.25]), features["spectrogram"]),
        "plain": lambda: plain(audio, torch.tensor([0, 9])),
        "embedding": net.diffusion_embedding.embedding[:5],
    }


def trained(net):
    np.random.seed(2)
    dataset = batches(net.params, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.002)
    with tempfile.TemporaryDirectory() as folder:
        learner = DiffWaveLearner(folder, net, dataset, optimizer, net.params, fp16=False)
        learner.summary_writer = Writer()
        learner.restore_from_checkpoint()
        learner.train(max_steps=4)
        step = learner.step
        again = DiffWaveLearner(folder, net, dataset, optimizer, net.params, fp16=False)
        again.restore_from_checkpoint()
        return [
            *learner.summary_writer.seen,
            learner.grad_norm,
            step,
            again.step,
            len(os.listdir(folder)),
            net.residual_layers[1].dilated_conv.weight,
            net.output_projection.weight,
            net.diffusion_embedding.projection1.bias,
        ]


def train(net, plain):
    nested = _nested_map({"a": [torch.ones(2), (torch.zeros(1), 3)]}, lambda x: x + 1)
    return {"net": lambda: trained(net), "plain": lambda: trained(plain), "nested": nested["a"][0]}
