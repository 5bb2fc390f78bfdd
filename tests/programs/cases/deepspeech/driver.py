import numpy as np
import omegaconf
import pytorch_lightning
import torch
import torchmetrics


class Metric:
    """What the error rates take from torchmetrics."""

    def __init__(self, dist_sync_on_step=False):
        pass

    def add_state(self, name, default, dist_reduce_fx=None):
        setattr(self, name, default)


class Lightning(torch.nn.Module):
    """What the model takes from Lightning's module."""

    def save_hyperparameters(self):
        pass

    def log(self, *args, **kwargs):
        pass


pytorch_lightning.LightningModule = Lightning
omegaconf.OmegaConf.get_type = type
torchmetrics.Metric = Metric

from deepspeech_pytorch.configs.train_config import (
    AdamConfig,
    BiDirectionalConfig,
    SGDConfig,
    SpectConfig,
    UniDirectionalConfig,
)
from deepspeech_pytorch.enums import RNNType
from deepspeech_pytorch.loader.data_loader import _collate_fn
from deepspeech_pytorch.model import DeepSpeech

LABELS = ["_", "'", *"ABCDEF", " "]
spect_cfg = SpectConfig(sample_rate=8000)
FREQUENCIES = int(spect_cfg.sample_rate * spect_cfg.window_size / 2) + 1


def build():
    both_ways = DeepSpeech(
        LABELS, BiDirectionalConfig(rnn_type=RNNType.lstm, hidden_size=16, hidden_layers=2), 32,
        AdamConfig(learning_rate=1e-3), spect_cfg,
    )
    one_way = DeepSpeech(
        LABELS, UniDirectionalConfig(rnn_type=RNNType.gru, hidden_size=16, hidden_layers=2, lookahead_context=4), 32,
        SGDConfig(learning_rate=1e-4), spect_cfg,
    )
    return both_ways, one_way


def batch(seed):
    rng = np.random.RandomState(seed)
    samples = []
    for length, count in ((40, 5), (36, 4), (28, 3)):
        spectrogram = torch.from_numpy(rng.randn(FREQUENCIES, length).astype("float32"))
        samples.append((spectrogram, rng.randint(1, len(LABELS), count).tolist()))
    return _collate_fn(samples)


def forward(both_ways, one_way):
    inputs, _, input_percentages, _ = batch(0)
    input_sizes = input_percentages.mul_(int(inputs.size(3))).int()
    outputs = {}
    for name, model in (("both_ways", both_ways), ("one_way", one_way)):
        model.eval()
        out, output_sizes, _ = model(inputs, input_sizes)
        outputs[f"{name}_probabilities"] = out
        outputs[f"{name}_sizes"] = output_sizes
        strings, _ = model.evaluation_decoder.decode(out, output_sizes)
        outputs[f"{name}_decoded"] = np.array([float(len(one[0])) for one in strings])
    return outputs


def fitted(model, seed):
    """What Lightning's trainer does with the model, with the gradients' norm limited as the configuration says."""
    optimizers, schedulers = model.configure_optimizers()
    model.train()
    losses = []
    for epoch in range(3):
        for batch_idx, sample in enumerate([batch(seed + epoch)]):
            optimizers[0].zero_grad()
            loss = model.training_step(sample, batch_idx)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 400)
            optimizers[0].step()
            losses.append(loss.item())
        schedulers[0].step()
    return losses


def train(both_ways, one_way):
    return {
        "losses": fitted(both_ways, 10),
        "recurrent": both_ways.rnns[0].rnn.weight_hh_l0_reverse,
        "fc": both_ways.fc[0].module[1].weight,
        "one_way_losses": lambda: fitted(one_way, 20),
        "lookahead": lambda: one_way.lookahead[0].conv.weight,
    }
