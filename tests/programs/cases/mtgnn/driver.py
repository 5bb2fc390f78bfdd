import os
import pickle
import sys
import tempfile

import numpy as np
import torch

NODES, STEPS = 6, 20
SIZES = (
    "--device cpu --num_nodes 6 --subgraph_size 3 --node_dim 5 --conv_channels 4 --residual_channels 4 "
    "--skip_channels 6 --end_channels 8 --layers 2 --dropout 0"
).split()


def write_files(folder):
    rng = np.random.RandomState(0)
    time = np.arange(90)[:, None]
    waves = 2 + np.sin(time / (2 + np.arange(NODES))) + 0.1 * rng.rand(90, NODES)
    np.savetxt(os.path.join(folder, "waves.txt"), waves, delimiter=",")
    for category, count in (("train", 10), ("val", 5), ("test", 5)):
        x = rng.uniform(1, 60, (count, 12, NODES, 2))
        y = rng.uniform(1, 60, (count, 12, NODES, 2))
        y[0, :3, 0, 0] = 0
        np.savez(os.path.join(folder, category + ".npz"), x=x, y=y)
    adjacency = np.eye(NODES, dtype="float32") + 0.2 * rng.rand(NODES, NODES).astype("float32")
    with open(os.path.join(folder, "adj_mx.pkl"), "wb") as file:
        pickle.dump((list(range(NODES)), {i: i for i in range(NODES)}, adjacency), file)


# Both programs read the command line when they are imported.
folder, arguments = tempfile.mkdtemp(), sys.argv
write_files(folder)
single_saved = os.path.join(folder, "single.pt")
sys.argv = ["train_single_step.py", *SIZES, *f"--data {folder}/waves.txt --save {single_saved} --seq_in_len {STEPS}".split(), *(
    "--batch_size 8 --epochs 2 --num_split 2 --step_size 2 --lr 0.01 --clip 1"
).split()]  # fmt: skip
import train_single_step as single

sys.argv = ["train_multi_step.py", *SIZES, *f"--data {folder} --adj_data {folder}/adj_mx.pkl --save {folder}/".split(), *(
    "--batch_size 4 --epochs 2 --step_size1 2 --step_size2 2 --learning_rate 0.01 --runs 1"
).split()]  # fmt: skip
import train_multi_step as multi

sys.argv = arguments
torch.set_num_threads(1)

import util
from layer import dy_mixprop, graph_directed, graph_global, graph_undirected, prop
from net import gtnet
from trainer import Optim, Trainer


def build():
    settings = dict(
        dropout=0.0, subgraph_size=3, node_dim=5, conv_channels=4, residual_channels=4, skip_channels=6, end_channels=8, layers=2, tanhalpha=0.3
    )
    static = torch.from_numpy(np.random.RandomState(4).randn(NODES, 3).astype("float32"))
    return (
        gtnet(True, True, 2, NODES, "cpu", dilation_exponential=2, seq_length=STEPS, in_dim=1, out_dim=1, layer_norm_affline=False, **settings),
        gtnet(True, True, 2, NODES, "cpu", seq_length=12, in_dim=2, out_dim=12, **settings),
        gtnet(True, True, 2, NODES, "cpu", static_feat=static, seq_length=12, in_dim=2, out_dim=12, **settings),
        dy_mixprop(3, 4, 2, 0.0, 0.05),
        prop(3, 4, 2, 0.0, 0.05),
        graph_undirected(NODES, 2, 4, "cpu", alpha=0.3),
        graph_directed(NODES, 2, 4, "cpu", alpha=0.3),
        graph_global(NODES, 2, 4, "cpu", alpha=0.3),
    )


def init():
    torch.manual_seed(1)
    net = gtnet(True, True, 2, NODES, "cpu", seq_length=12, residual_channels=16, conv_channels=16)
    return {"filter": net.filter_convs[0].tconv[3].weight, "nodes": net.gc.emb1.weight, "norm": net.norm[0].weight}


def tensor(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(one, many, static, dynamic, spread, undirected, directed, everything):
    for net in (one, many, static):
        net.eval()
    idx = torch.tensor([4, 1, 2, 5, 0, 3])
    predictions, labels = tensor(6, 4, 5), tensor(7, 4, 5).round()
    return {
        "one": one(tensor(0, 2, 1, NODES, STEPS)),
        "many": many(tensor(1, 2, 2, NODES, 12), idx=idx),
        "static": static(tensor(2, 2, 2, NODES, 12)),
        "full": lambda: many.gc.fullA(idx),
        "dynamic": lambda: dynamic(tensor(3, 2, 3, NODES, 5)),
        "spread": lambda: spread(tensor(4, 2, 3, NODES, 5), torch.relu(tensor(5, NODES, NODES))),
        "undirected": lambda: undirected(idx),
        "directed": lambda: directed(idx),
        "everything": lambda: everything(idx),
        "metrics": lambda: np.array(util.metric(predictions, labels)),
        "masked": lambda: util.masked_mae(predictions, labels),
        "scaled": lambda: util.calculate_scaled_laplacian(np.abs(np.random.RandomState(1).rand(4, 4))),
    }


def train(one, many, static, *others):
    results = {}
    single.gtnet = lambda *sizes, **settings: one
    np.random.seed(0)
    results["single"] = np.array([float(value) for value in single.main()])
    multi.gtnet = lambda *sizes, **settings: many
    np.random.seed(1)
    vmae, vmape, vrmse, mae, mape, rmse = multi.main(0)
    results["multi"] = np.array([vmae, vmape, vrmse, *mae, *rmse])
    optim = Optim(list(static.parameters()), "sgd", 0.05, 0.5, lr_decay=0.001, start_decay_at=1)
    engine = Trainer(static, 0.001, 0.0001, 5, 2, 12, util.StandardScaler(20.0, 4.0), "cpu", True)
    history = []
    for step in range(3):
        history.append(engine.train(tensor(10 + step, 2, 2, NODES, 12), 20 + tensor(20 + step, 2, NODES, 12)))
        optim.step()
        optim.updateLearningRate(1.0, step)
    results["engine"] = np.array(history).reshape(-1)
    results["start"] = one.start_conv.weight
    results["norm"] = many.norm[0].weight
    results["nodes"] = many.gc.emb1.weight
    results["static"] = static.gconv1[0].mlp.mlp.weight
    return results
