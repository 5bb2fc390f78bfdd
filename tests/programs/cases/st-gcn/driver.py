import os
import pickle
import random
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "torchlight"))

from feeder import tools  # noqa: E402
from feeder.feeder import Feeder  # noqa: E402
from net.st_gcn import Model, st_gcn  # noqa: E402
from net.st_gcn_twostream import Model as TwoStream  # noqa: E402
from net.utils.graph import Graph  # noqa: E402
from processor.recognition import REC_Processor, weights_init  # noqa: E402

NTU = {"layout": "ntu-rgb+d", "strategy": "spatial"}
POSE = {"layout": "openpose", "strategy": "distance", "max_hop": 2}
CONFIG = """
feeder: feeder.feeder.Feeder
train_feeder_args:
  data_path: {0}/train_data.npy
  label_path: {0}/train_label.pkl
test_feeder_args:
  data_path: {0}/train_data.npy
  label_path: {0}/train_label.pkl
model: net.st_gcn.Model
model_args:
  in_channels: 3
  num_class: 6
  edge_importance_weighting: True
  graph_args:
    layout: 'ntu-rgb+d'
    strategy: 'spatial'
weight_decay: 0.0001
base_lr: 0.01
step: [1]
device: [0]
batch_size: 4
test_batch_size: 4
num_epoch: 2
num_worker: 0
log_interval: 1
"""


def build():
    return (
        Model(3, 6, NTU, edge_importance_weighting=True),
        Model(3, 4, POSE, edge_importance_weighting=False, dropout=0.0),
        st_gcn(4, 6, (3, 2), stride=2),
    )


def init():
    torch.manual_seed(1)
    model = Model(3, 6, NTU, edge_importance_weighting=True, dropout=0.5)
    model.apply(weights_init)
    return {
        "conv": model.st_gcn_networks[4].tcn[2].weight,
        "norm": model.data_bn.weight,
        "importance": model.edge_importance[0],
    }


def clips(seed, count, frames, joints):
    return np.random.RandomState(seed).randn(count, 3, frames, joints, 2).astype("float32")


def write_data(folder):
    np.save(os.path.join(folder, "train_data.npy"), clips(1, 4, 8, 25))
    with open(os.path.join(folder, "train_label.pkl"), "wb") as file:
        pickle.dump((["a", "b", "c", "d"], [0, 3, 5, 3]), file)


def fed():
    with tempfile.TemporaryDirectory() as folder:
        write_data(folder)
        path = os.path.join(folder, "train_data.npy")
        feeder = Feeder(path, os.path.join(folder, "train_label.pkl"), window_size=12)
        loader = torch.utils.data.DataLoader(feeder, batch_size=2, shuffle=False)
        return torch.cat([data.view(2, -1) for data, label in loader])


def moved():
    random.seed(3)
    np.random.seed(3)
    return tools.random_move(tools.random_choose(clips(2, 1, 9, 18)[0], 6))


def features(model, x):
    output, feature = model.extract_feature(x)
    return torch.cat([output.reshape(-1), feature.reshape(-1)])


def two_streams():
    torch.manual_seed(0)
    model = TwoStream(3, 4, NTU, edge_importance_weighting=True)
    for parameter in model.parameters():
        parameter.data.fill_(0.01)
    model.eval()
    return model(torch.from_numpy(clips(6, 1, 8, 25)))


def forward(*nets):
    for net in nets:
        net.eval()
    ntu, pose = torch.from_numpy(clips(3, 2, 8, 25)), torch.from_numpy(clips(4, 1, 8, 18))
    x = torch.from_numpy(np.random.RandomState(5).randn(2, 4, 6, 5).astype("float32"))
    adjacency = torch.from_numpy(np.random.RandomState(6).rand(2, 5, 5).astype("float32"))
    return {
        "graph": Graph(**NTU).A,
        "ntu": lambda: nets[0](ntu),
        "pose": lambda: nets[1](pose),
        "features": lambda: features(nets[0], ntu),
        "block": lambda: nets[2](x, adjacency)[0],
        "fed": lambda: fed(),
        "moved": lambda: moved(),
        "two_streams": lambda: two_streams(),
    }


class Steady(REC_Processor):
    """The processor with the batches of a run in the order of the files, and without a GPU."""

    def load_model(self):
        super().load_model()
        self.model.load_state_dict(Steady.start.state_dict())

    def load_data(self):
        super().load_data()
        self.data_loader["train"] = self.data_loader["test"]


def train(model, _, __):
    with tempfile.TemporaryDirectory() as folder:
        write_data(folder)
        config = os.path.join(folder, "train.yaml")
        with open(config, "w") as file:
            file.write(CONFIG.format(folder))
        Steady.start = model
        processor = Steady(["-c", config, "-w", os.path.join(folder, "work"), "--use_gpu", "False"])
        REC_Processor.start(processor)
        saved = os.path.join(folder, "work", "epoch2_model.pt")
        weights = torch.load(saved)
        restored = processor.io.load_weights(Model(3, 6, NTU, edge_importance_weighting=True), saved)
    return {
        "mean_loss": processor.epoch_info["mean_loss"],
        "loss": processor.iter_info["loss"],
        "lr": processor.lr,
        "result": processor.result,
        "saved": weights["fcn.weight"],
        "restored": restored.fcn.weight,
        "fcn": processor.model.fcn.weight,
        "importance": processor.model.edge_importance[3],
        "data_bn": processor.model.data_bn.running_mean,
    }
