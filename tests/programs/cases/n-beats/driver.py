import tempfile

import numpy as np
from common.torch.ops import to_tensor
from common.torch.snapshots import SnapshotManager
from experiments.model import generic, interpretable
from experiments.trainer import trainer

INSAMPLE, OUTSAMPLE = 12, 4


def build():
    trend = interpretable(
        input_size=INSAMPLE,
        output_size=OUTSAMPLE,
        trend_blocks=2,
        trend_layers=2,
        trend_layer_size=16,
        degree_of_polynomial=2,
        seasonality_blocks=2,
        seasonality_layers=2,
        seasonality_layer_size=24,
        num_of_harmonics=1,
    )
    return generic(input_size=INSAMPLE, output_size=OUTSAMPLE, stacks=3, layers=2, layer_size=16), trend


def series(seed):
    """Windows as TimeseriesSampler cuts them, the first ones from short series."""
    random = np.random.RandomState(seed)
    insample = random.uniform(1, 5, (6, INSAMPLE)).astype("float32")
    insample_mask = np.ones((6, INSAMPLE), dtype="float32")
    insample[:2, :5] = 0
    insample_mask[:2, :5] = 0
    outsample = random.uniform(1, 5, (6, OUTSAMPLE)).astype("float32")
    outsample_mask = np.ones((6, OUTSAMPLE), dtype="float32")
    outsample[5, 2:] = 0
    outsample_mask[5, 2:] = 0
    return insample, insample_mask, outsample, outsample_mask


def batches():
    seed = 1
    while True:
        yield series(seed)
        seed += 1


def forward(flat, trend):
    x, x_mask, _, _ = map(to_tensor, series(0))
    flat.eval()
    trend.eval()
    return {"generic": flat(x, x_mask), "interpretable": trend(x, x_mask)}


def train(flat, trend):
    results = {}
    for name, model, loss_name in (("generic", flat, "SMAPE"), ("interpretable", trend, "MASE")):
        with tempfile.TemporaryDirectory() as folder:
            snapshot_manager = SnapshotManager(
                snapshot_dir=folder, total_iterations=4, logging_frequency=1, snapshot_frequency=2
            )
            model = trainer(
                snapshot_manager=snapshot_manager,
                model=model,
                training_set=batches(),
                timeseries_frequency=1,
                loss_name=loss_name,
                iterations=4,
                learning_rate=0.0001,
            )
            results[f"{name}_iteration"] = snapshot_manager.restore(model, None)
        results[f"{name}_losses"] = list(snapshot_manager.losses["training"].values())
        results[f"{name}_weight"] = model.blocks[0].layers[0].weight
        results[f"{name}_basis"] = model.blocks[-1].basis_parameters.weight
    return results
