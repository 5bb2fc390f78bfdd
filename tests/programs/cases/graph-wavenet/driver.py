import numpy as np
import torch

import util
from engine import trainer

NODES, AHEAD, FEATURES, BATCH = 12, 4, 2, 4


def scaler():
    return util.StandardScaler(mean=5.0, std=2.0)


def supports():
    rng = np.random.RandomState(0)
    made = []
    for _ in range(2):
        weights = rng.rand(NODES, NODES).astype("float32")
        made.append(torch.tensor(weights / weights.sum(1, keepdims=True)))
    return made


def engines():
    adjacency = supports()
    device = torch.device("cpu")
    return (
        trainer(scaler(), FEATURES, AHEAD, NODES, 4, 0.0, 0.01, 0.0001, device, adjacency, True, True, adjacency[0]),
        trainer(scaler(), FEATURES, AHEAD, NODES, 4, 0.0, 0.01, 0.0001, device, None, True, True, None),
        trainer(scaler(), FEATURES, AHEAD, NODES, 4, 0.0, 0.01, 0.0001, device, adjacency, False, False, None),
    )


def build():
    return tuple(engine.model for engine in engines())


def batches(seed, size=12):
    rng = np.random.RandomState(seed)
    values = 5.0 + 2.0 * rng.randn(size, 8, NODES, FEATURES)
    ahead = 5.0 + 2.0 * rng.randn(size, AHEAD, NODES, FEATURES)
    ahead[rng.rand(*ahead.shape) < 0.1] = 0.0
    return util.DataLoader((values - 5.0) / 2.0, ahead, BATCH)


def tensors(values, ahead):
    return torch.Tensor(values).transpose(1, 3), torch.Tensor(ahead).transpose(1, 3)


def forward(*models):
    outputs = {}
    for place, model in enumerate(models):
        model.eval()
        values, _ = tensors(*next(batches(1).get_iterator()))
        outputs[f"ahead_{place}"] = lambda model=model, values=values: model(values)
    predicted, real = (tensors(*next(batches(seed).get_iterator()))[1] for seed in (2, 3))
    outputs["metrics"] = lambda: np.array(util.metric(predicted, real))
    outputs["unmasked"] = lambda: util.masked_mape(predicted + 20, real + 20)
    return outputs


def train(*models):
    results = {}
    for place, (engine, model) in enumerate(zip(engines(), models)):
        engine.model.load_state_dict(model.state_dict())
        metrics, checks = [], []
        for values, ahead in batches(4).get_iterator():
            x, y = tensors(values, ahead)
            metrics.append(engine.train(x, y[:, 0, :, :]))
        for values, ahead in batches(5, 8).get_iterator():
            x, y = tensors(values, ahead)
            checks.append(engine.eval(x, y[:, 0, :, :]))
        results[f"train_{place}"] = np.array(metrics)
        results[f"valid_{place}"] = np.array(checks)
        results[f"gate_{place}"] = engine.model.gate_convs[1].weight
        results[f"end_{place}"] = engine.model.end_conv_2.weight
        if place < 2:
            results[f"nodes_{place}"] = engine.model.nodevec1 @ engine.model.nodevec2
    return results
