import numpy as np
import torch
from torch.utils.data import DataLoader

import ts2vec
from models.losses import hierarchical_contrastive_loss


def in_order(dataset, batch_size, shuffle=False, drop_last=False):
    return DataLoader(dataset, batch_size=batch_size, shuffle=False, drop_last=drop_last)


ts2vec.DataLoader = in_order
SETTINGS = {
    "plain": dict(input_dims=2, output_dims=6, hidden_dims=5, depth=2, batch_size=4),
    "cropped": dict(input_dims=2, output_dims=6, hidden_dims=5, depth=2, batch_size=4, max_train_length=12, temporal_unit=1),
}  # fmt: skip


def learner(settings, net=None):
    made = ts2vec.TS2Vec(device="cpu", lr=0.01, **settings)
    made._net.repr_dropout.p = 0.0
    if net is not None:
        made._net.load_state_dict(net.state_dict())
        made.net = torch.optim.swa_utils.AveragedModel(made._net)
        made.net.update_parameters(made._net)
    return made


def build():
    return tuple(learner(settings)._net for settings in SETTINGS.values())


def series(seed, count=8, length=24):
    rng = np.random.RandomState(seed)
    values = np.sin(np.arange(length)[None, :, None] / rng.uniform(1, 4, (count, 1, 2))) + 0.1 * rng.randn(count, length, 2)
    values[1, :3] = np.nan
    values[2, 5, 0] = np.nan
    return values


def forward(plain, cropped):
    outputs = {}
    made = learner(SETTINGS["plain"], plain)
    for window in (None, "full_series", "multiscale", 5):
        outputs[f"window_{window}"] = lambda window=window: made.encode(series(0), encoding_window=window)
    for mask in ("all_false", "mask_last"):
        outputs[mask] = lambda mask=mask: made.encode(series(0), mask=mask)
    outputs["sliding"] = lambda: made.encode(series(0), causal=True, sliding_length=1, sliding_padding=6)
    outputs["few"] = lambda: made.encode(series(0, count=3), sliding_length=4, sliding_padding=2)

    def contrast():
        cropped.eval()
        values = torch.from_numpy(series(1)).float()
        return hierarchical_contrastive_loss(cropped(values[:, 4:]), cropped(values[:, :-4]))

    outputs["contrast"] = contrast
    return outputs


def train(*nets):
    results = {}
    for (name, settings), net in zip(SETTINGS.items(), nets):
        made = learner(settings, net)
        np.random.seed(3)  # behind the networks, whose weights MindSpore draws with NumPy
        losses = []
        made.after_iter_callback = lambda model, loss, losses=losses: losses.append(loss)
        epochs = made.fit(series(2), n_epochs=2)
        results[name + "_losses"] = losses
        results[name + "_epochs"] = epochs
        results[name + "_input"] = made._net.input_fc.weight
        results[name + "_conv"] = made._net.feature_extractor.net[1].conv2.conv.weight
        made.save(name + ".pkl")
        other = learner(settings)
        other.load(name + ".pkl")
        results[name + "_encoded"] = other.encode(series(4))
        results[name + "_averaged"] = int(made.net.n_averaged)
    return results
