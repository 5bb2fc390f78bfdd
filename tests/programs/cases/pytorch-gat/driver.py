import os
import pickle

import numpy as np
import scipy.sparse as sp
import torch

from models.definitions.GAT import GAT
from training_script_cora import get_main_loop
from utils import data_loading
from utils.constants import LayerType, LoopPhase

NODES, WORDS, CLASSES = 40, 20, 7

# A citation network in the three files that the repository keeps of Cora.
rng = np.random.RandomState(0)
os.makedirs("data/cora", exist_ok=True)
features = sp.csr_matrix((rng.rand(NODES, WORDS) < 0.3).astype(np.float32))
neighbours = {node: sorted(set(int(other) for other in rng.randint(0, NODES, 4)) - {node}) for node in range(NODES)}
for name, what in (("node_features.csr", features), ("node_labels.npy", rng.randint(0, CLASSES, (NODES, 1))), ("adjacency_list.dict", neighbours)):
    with open(os.path.join("data/cora", name), "wb") as f:
        pickle.dump(what, f)
data_loading.CORA_TRAIN_RANGE = [0, 20]
data_loading.CORA_VAL_RANGE = [20, 30]
data_loading.CORA_TEST_RANGE = [30, 40]


def graph(layer_type):
    config = {"dataset_name": "CORA", "layer_type": layer_type, "should_visualize": False}
    return data_loading.load_graph_data(config, torch.device("cpu"))


def net(layer_type, skip):
    return GAT(
        num_of_layers=2,
        num_heads_per_layer=[4, 1],
        num_features_per_layer=[WORDS, 6, CLASSES],
        add_skip_connection=skip,
        bias=True,
        dropout=0.0,
        layer_type=layer_type,
        log_attention_weights=True,
    )


TYPES = (LayerType.IMP1, LayerType.IMP2, LayerType.IMP3)


def build():
    return tuple(net(kind, skip) for kind, skip in zip(TYPES, (False, True, True)))


def forward(*nets):
    outputs = {}
    for kind, model in zip(TYPES, nets):
        model.eval()
        features, _, topology, *_ = graph(kind)
        outputs[kind.name] = lambda model=model, features=features, topology=topology: model((features, topology))[0]
        outputs[kind.name + "_attention"] = lambda model=model: model.gat_net[0].attention_weights
    return outputs


def train(*nets):
    result = {}
    for kind, model in zip(TYPES, nets):
        features, labels, topology, train_indices, val_indices, test_indices = graph(kind)
        labels = labels.view(-1)
        config = {"enable_tensorboard": False, "checkpoint_freq": None, "console_log_freq": 1, "dataset_name": "CORA"}
        config.update({"num_of_layers": 2, "layer_type": kind})
        loss = torch.nn.CrossEntropyLoss(reduction="mean")
        optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
        loop = get_main_loop(
            config, model, loss, optimizer, features, labels, topology, train_indices, val_indices, test_indices, 1000, 0.0
        )
        for epoch in range(3):
            loop(phase=LoopPhase.TRAIN, epoch=epoch)
            with torch.no_grad():
                loop(phase=LoopPhase.VAL, epoch=epoch)
        result[kind.name + "_accuracy"] = loop(phase=LoopPhase.TEST)
        result[kind.name + "_loss"] = loss(model((features, topology))[0], labels).item()
        first = model.gat_net[0]
        result[kind.name + "_scores"] = first.scoring_fn_target
        result[kind.name + "_proj"] = first.proj_param if kind == LayerType.IMP1 else first.linear_proj.weight
    return result


def init():
    torch.manual_seed(0)
    model = GAT(1, [8], [100, 30], dropout=0.0)
    return {"proj": model.gat_net[0].linear_proj.weight, "target": model.gat_net[0].scoring_fn_target}
