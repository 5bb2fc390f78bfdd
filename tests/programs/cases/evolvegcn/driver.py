import numpy as np
import sklearn.metrics
import torch


def average_precision_score(y_true, y_score):
    """What scikit-learn gives."""
    order = np.argsort(-np.asarray(y_score), kind="stable")
    hits = np.asarray(y_true)[order]
    found = np.cumsum(hits)
    return float((hits * found / np.arange(1, len(hits) + 1)).sum() / max(hits.sum(), 1))


sklearn.metrics.average_precision_score = average_precision_score

import egcn_h  # noqa: E402
import egcn_o  # noqa: E402
import models  # noqa: E402
import taskers_utils as tu  # noqa: E402
import utils as u  # noqa: E402
from Cross_Entropy import Cross_Entropy  # noqa: E402
from edge_cls_tasker import Edge_Cls_Tasker  # noqa: E402
from splitter import splitter  # noqa: E402
from trainer import Trainer  # noqa: E402

NODES, FEATURES, TIMES = 9, 5, 8


def settings(**others):
    return u.Namespace({
        "data": "made", "task": "edge_cls", "model": "egcn", "rank": 0, "use_logfile": False, "device": "cpu",
        "use_2_hot_node_feats": False, "use_1_hot_node_feats": False, "adj_mat_time_window": 3, "num_hist_steps": 2,
        "train_proportion": 0.7, "dev_proportion": 0.15, "data_loading_params": {"batch_size": 1, "num_workers": 0},
        "learning_rate": 0.01, "num_epochs": 2, "eval_after_epochs": 0, "early_stop_patience": 5, "target_measure": "Loss", "target_class": 1,
        "steps_accum_gradients": 1, "save_node_embeddings": False, "class_weights": [0.4, 0.6],
        "experiment_type": "none", "feats_per_node": FEATURES, "layer_1_feats": 4, "layer_2_feats": 3, "num_layers": 2,
        "lstm_l1_feats": 4, "lstm_l1_layers": 1, "lstm_l2_feats": 3, "lstm_l2_layers": 2,
        "gcn_parameters": {"layer_2_feats": 3, "lstm_l2_feats": 3, "cls_feats": 6}, **others,
    })  # fmt: skip


def build():
    args, relu = settings(), torch.nn.RReLU(0.2, 0.2)
    return (
        egcn_h.EGCN(args, relu),
        egcn_o.EGCN(args, relu, skipfeats=True),
        models.Sp_GCN(args, relu),
        models.Sp_GCN_LSTM_B(args, relu),
        models.Sp_GCN_GRU_A(args, relu),
        models.Classifier(args),
    )


def init():
    torch.manual_seed(1)
    args = settings(feats_per_node=400, layer_1_feats=24, layer_2_feats=20)
    net = egcn_h.EGCN(args, torch.nn.ReLU())
    return {
        "first": net.GRCU_layers[0].GCN_init_weights,
        "gate": net.GRCU_layers[0].evolve_weights.update.U,
        "scorer": net.GRCU_layers[0].evolve_weights.choose_topk.scorer,
        "plain": models.Sp_GCN(args, torch.nn.ReLU()).w_list[0],
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def edges():
    draw = np.random.RandomState(3)
    rows = [
        (source, target, time, (source + target) % 2)
        for time in range(TIMES)
        for source, target in draw.randint(0, NODES, (7, 2)).tolist()
    ]
    return {"idx": torch.tensor(rows), "vals": torch.ones(len(rows))}


def dataset():
    made = u.Namespace({
        "edges": edges(), "num_nodes": NODES, "num_classes": 2, "feats_per_node": FEATURES,
        "min_time": torch.tensor(0), "max_time": torch.tensor(TIMES - 1), "nodes_feats": array(4, NODES, FEATURES),
        "prepare_node_feats": lambda found: found[0],
    })  # fmt: skip
    return made


def history(steps=3):
    """Matrices, what is known of nodes, and masks, as the trainer prepares them."""
    matrices, features, masks = [], [], []
    for time in range(2, 2 + steps):
        found = tu.get_sp_adj(edges=edges(), time=time, weighted=True, time_window=2)
        masks.append(tu.get_node_mask(found, NODES).view(-1, 1))
        normal = tu.normalize_adj(adj=found, num_nodes=NODES)
        matrices.append(u.make_sparse_tensor(normal, tensor_type="float", torch_size=[NODES]))
        features.append(array(time, NODES, FEATURES))
    return matrices, features, masks


def forward(evolving, other, plain, lstm, gru, classifier):
    for one in (evolving, other, plain, lstm, gru, classifier):
        one.eval()
    matrices, features, masks = history()
    one = tu.get_sp_adj(edges=edges(), time=3, weighted=False, time_window=2)
    whole = dataset()
    return {
        "evolving": lambda: evolving(matrices, list(features), masks),
        "other": lambda: other(matrices, list(features), masks),
        "plain": lambda: plain(matrices, features, masks),
        "lstm": lambda: lstm(matrices, features),
        "gru": lambda: gru(matrices, features),
        "classes": lambda: classifier(array(5, 4, 6)),
        "edges": lambda: [one["idx"], one["vals"].view(-1, 1)],
        "normal": lambda: [tu.normalize_adj(one, NODES)["idx"], tu.normalize_adj(one, NODES)["vals"].view(-1, 1)],
        "degrees": lambda: list(tu.get_degree_vects(one, NODES)),
        "largest": lambda: list(tu.get_max_degs(settings(), whole)),
        "hot": lambda: tu.get_1_hot_deg_feats(one, 8, NODES)["idx"],
        "mask": lambda: torch.isinf(tu.get_node_mask(one, NODES)),
        "missing": lambda: tu.get_all_non_existing_edges(one, NODES)["idx"].sum(0),
        "padded": lambda: [
            u.pad_with_last_val(torch.tensor([3, 1]), 5),
            u.pad_with_last_col(torch.tensor([[3, 1], [2, 4]]), 4)[0],
        ],
        "sorted": lambda: u.sort_by_time(torch.tensor([[1, 5], [2, 3], [0, 4]]), 1),
        "aggregated": lambda: u.aggregate_by_time(torch.tensor([5, 9, 17]), 4),
        "loss": lambda: Cross_Entropy(settings(), whole)(array(6, 4, 2), torch.tensor([0, 1, 1, 0])),
        "count": lambda: [len(list(net.parameters())) for net in (evolving, other, plain, lstm)],
    }


def train(evolving, other, plain, lstm, gru, classifier):
    results, kept = {}, {name: one.detach().clone() for name, one in classifier.state_dict().items()}
    for name, net in (("evolving", evolving), ("plain", plain), ("lstm", lstm)):
        args, made = settings(), dataset()
        classifier.load_state_dict(kept)
        tasker = Edge_Cls_Tasker(args, made)
        trainer = Trainer(args, splitter(args, tasker), net, classifier, Cross_Entropy(args, made), made, 2)
        trainer.train()
        losses = []
        for split, label, grad in ((trainer.splitter.train, "TRAIN", True), (trainer.splitter.dev, "VALID", False)):
            measure, embeddings = trainer.run_epoch(split, 3, label, grad=grad)
            losses.append([float(measure), float(trainer.logger.losses.mean())])
        results[name + "_losses"] = losses
        results[name + "_nodes"] = embeddings
        results[name + "_classes"] = classifier.mlp[0].weight.detach().clone()
        results[name + "_steps"] = trainer.tr_step
    layer = evolving.GRCU_layers[1]
    return {
        **results,
        "losses": [one[0] for one in (results["plain_losses"], results["lstm_losses"])],
        "weights": layer.GCN_init_weights,
        "gate": layer.evolve_weights.htilda.W,
        "scorer": evolving.GRCU_layers[0].evolve_weights.choose_topk.scorer,
        "plain": plain.w_list[1],
        "rnn": lstm.rnn_l1.weight_hh_l0,
    }
