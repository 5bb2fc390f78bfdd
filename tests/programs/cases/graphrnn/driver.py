import os
import random

import networkx as nx
import numpy as np
import torch
from torch.utils.data import DataLoader

import args as settings
import data
import model
import train as script

PREVIOUS, NODES = 4, 7
logged = []
script.log_value = lambda name, value, step: logged.append(value)


def arguments(note, epochs=2):
    args = settings.Args()
    args.note = note
    args.epochs, args.epochs_log, args.epochs_test, args.epochs_save = epochs, 1, 2, 2
    args.epochs_test_start, args.test_total_size, args.test_batch_size = 1, 2, 2
    args.num_layers, args.hidden_size_rnn, args.hidden_size_rnn_output = 2, 12, 6
    args.embedding_size_rnn, args.embedding_size_rnn_output, args.embedding_size_output = 8, 5, 8
    args.max_prev_node, args.max_num_node, args.milestones = PREVIOUS, NODES, [3]
    args.batch_ratio, args.lr = 2, 0.001
    args.load_epoch = epochs
    for kind in ("model_save", "graph_save", "timing_save", "nll_save"):
        os.makedirs(f"saved/{kind}", exist_ok=True)
        setattr(args, f"{kind}_path", f"saved/{kind}/")
    return args


def graph_rnn(args):
    return model.GRU_plain(
        input_size=args.max_prev_node,
        embedding_size=args.embedding_size_rnn,
        hidden_size=args.hidden_size_rnn,
        num_layers=args.num_layers,
        has_input=True,
        has_output="RNN_RNN" in args.note,
        output_size=args.hidden_size_rnn_output if "RNN_RNN" in args.note else None,
    )


def build():
    """As main.py does for both variants."""
    args = arguments("GraphRNN_MLP")
    output = model.MLP_plain(
        h_size=args.hidden_size_rnn, embedding_size=args.embedding_size_output, y_size=args.max_prev_node
    )
    edge_rnn = model.GRU_plain(
        input_size=1,
        embedding_size=args.embedding_size_rnn_output,
        hidden_size=args.hidden_size_rnn_output,
        num_layers=args.num_layers,
        has_input=True,
        has_output=True,
        output_size=1,
    )
    return graph_rnn(args), output, graph_rnn(arguments("GraphRNN_RNN")), edge_rnn


def forward(rnn, output, second_rnn, edge_rnn):
    steps = torch.from_numpy(np.random.RandomState(0).randint(0, 2, (3, NODES, PREVIOUS)).astype("float32"))
    rnn.hidden = rnn.init_hidden(3)
    hidden = rnn(steps, pack=True, input_len=[7, 5, 4])
    second_rnn.hidden = second_rnn.init_hidden(3)
    edges = second_rnn(steps)
    return {
        "hidden": hidden,
        "edges": output(hidden),
        "second": edges,
        "last": second_rnn.hidden,
        "sampled": lambda: model.sample_sigmoid(output(hidden), sample=False),
    }


def loader():
    graphs = [
        nx.path_graph(4),
        nx.cycle_graph(6),
        nx.ladder_graph(3),
        nx.star_graph(4),
        nx.wheel_graph(7),
        nx.path_graph(5),
    ]
    dataset = data.Graph_sequence_sampler_pytorch(graphs, max_num_node=NODES, max_prev_node=PREVIOUS)
    return DataLoader(dataset, batch_size=3, num_workers=0)


def train(rnn, output, second_rnn, edge_rnn):
    random.seed(1)
    np.random.seed(1)
    results = {}
    for note, first, second in (("GraphRNN_MLP", rnn, output), ("GraphRNN_RNN", second_rnn, edge_rnn)):
        args = arguments(note)
        logged.clear()
        script.train(args, loader(), first, second)
        results[f"{note}_losses"] = list(logged)
        logged.clear()
        script.train_nll(args, loader(), loader(), first, second, 1, 1, max_iter=1)
        results[f"{note}_likelihoods"] = list(logged)
        results[f"{note}_rnn"] = first.rnn.weight_hh_l1
        results[f"{note}_input"] = first.input.weight
    results["output"] = output.deterministic_output[0].weight
    results["edge"] = edge_rnn.rnn.weight_ih_l0
    return results


def init():
    return {"gru": graph_rnn(arguments("GraphRNN_RNN")).rnn.weight_hh_l0}
