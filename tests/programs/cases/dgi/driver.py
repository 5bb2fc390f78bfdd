import os
import tempfile

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn as nn

from layers import AvgReadout, GCN
from models import DGI, LogReg
from utils import process

batch_size = 1
lr = 0.01
l2_coef = 0.0
hid_units = 16
nonlinearity = "prelu"
nb_nodes, ft_size, nb_classes = 20, 12, 3


def graph():
    """What process.load_data gives, made up."""
    rng = np.random.RandomState(0)
    adj = np.triu(rng.rand(nb_nodes, nb_nodes) < 0.15, 1)
    adj = sp.csr_matrix((adj + adj.T).astype("float64"))
    features = sp.lil_matrix((rng.rand(nb_nodes, ft_size) < 0.3).astype("float32"))
    labels = np.eye(nb_classes)[rng.randint(0, nb_classes, nb_nodes)]
    return adj, features, labels, range(8), range(8, 12), range(12, nb_nodes)


def prepared(sparse):
    adj, features, labels, idx_train, idx_val, idx_test = graph()
    features, _ = process.preprocess_features(features)
    adj = process.normalize_adj(adj + sp.eye(adj.shape[0]))
    if sparse:
        adj = process.sparse_mx_to_torch_sparse_tensor(adj)
    else:
        adj = (adj + sp.eye(adj.shape[0])).todense()
    features = torch.FloatTensor(features[np.newaxis])
    if not sparse:
        adj = torch.FloatTensor(adj[np.newaxis])
    labels = torch.FloatTensor(labels[np.newaxis])
    return (
        adj,
        features,
        labels,
        torch.LongTensor(idx_train),
        torch.LongTensor(idx_val),
        torch.LongTensor(idx_test),
    )


def build():
    return (
        DGI(ft_size, hid_units, nonlinearity),
        LogReg(hid_units, nb_classes),
        GCN(ft_size, 5, nn.Tanh(), bias=False),
    )


def init():
    torch.manual_seed(1)
    model = DGI(60, 50, nonlinearity)
    return {
        "gcn": model.gcn.fc.weight,
        "discriminator": model.disc.f_k.weight,
        "act": model.gcn.act.weight,
        "logreg": LogReg(40, 30).fc.weight,
    }


def metrics():
    rng = np.random.RandomState(4)
    logits = torch.from_numpy(rng.randn(6, 4).astype("float32"))
    labels = torch.from_numpy((rng.rand(6, 4) < 0.5).astype("float32"))
    return process.micro_f1(logits, labels)


def forward(dgi, logreg, gcn):
    sparse_adj, features, labels, _, _, _ = prepared(True)
    adj = prepared(False)[0]
    shuffled = features[:, np.random.RandomState(1).permutation(nb_nodes), :]
    mask = torch.from_numpy((np.random.RandomState(2).rand(1, nb_nodes) < 0.7).astype("float32"))
    bias = torch.from_numpy(np.random.RandomState(3).randn(1, nb_nodes).astype("float32"))
    return {
        "features": features,
        "adj": adj,
        "sparse": lambda: dgi(features, shuffled, sparse_adj, True, None, None, None),
        "dense": lambda: dgi(features, shuffled, adj, False, None, bias, -bias),
        "embed": lambda: dgi.embed(features, sparse_adj, True, None)[0],
        "masked": lambda: AvgReadout()(features, mask),
        "without_bias": lambda: gcn(features, adj),
        "adj_to_bias": lambda: process.adj_to_bias(adj.numpy(), [nb_nodes]),
        "micro_f1": lambda: metrics(),
    }


def train(model, log, _):
    """What execute.py does, which cannot be imported, for it runs at once."""
    sp_adj, features, labels, idx_train, idx_val, idx_test = prepared(True)
    sparse = True
    optimiser = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=l2_coef)
    b_xent = nn.BCEWithLogitsLoss()
    xent = nn.CrossEntropyLoss()
    cnt_wait = 0
    best = 1e9
    best_t = 0
    losses = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "best_dgi.pkl")
        for epoch in range(4):
            model.train()
            optimiser.zero_grad()

            idx = np.random.RandomState(epoch).permutation(nb_nodes)
            shuf_fts = features[:, idx, :]

            lbl_1 = torch.ones(batch_size, nb_nodes)
            lbl_2 = torch.zeros(batch_size, nb_nodes)
            lbl = torch.cat((lbl_1, lbl_2), 1)

            logits = model(features, shuf_fts, sp_adj if sparse else None, sparse, None, None, None)

            loss = b_xent(logits, lbl)

            print("Loss:", loss)

            if loss < best:
                best = loss
                best_t = epoch
                cnt_wait = 0
                torch.save(model.state_dict(), path)
            else:
                cnt_wait += 1

            if cnt_wait == 20:
                print("Early stopping!")
                break

            loss.backward()
            optimiser.step()
            losses.append(loss.item())
        last = model.gcn.fc.weight.detach().clone()
        print("Loading {}th epoch".format(best_t))
        model.load_state_dict(torch.load(path))

    embeds, _ = model.embed(features, sp_adj, sparse, None)
    train_embs = embeds[0, idx_train]
    test_embs = embeds[0, idx_test]

    train_lbls = torch.argmax(labels[0, idx_train], dim=1)
    test_lbls = torch.argmax(labels[0, idx_test], dim=1)

    tot = torch.zeros(1)
    accs = []
    for _ in range(2):
        opt = torch.optim.Adam(log.parameters(), lr=0.01, weight_decay=0.0)
        for _ in range(3):
            log.train()
            opt.zero_grad()

            logits = log(train_embs)
            loss = xent(logits, train_lbls)

            loss.backward()
            opt.step()

        logits = log(test_embs)
        preds = torch.argmax(logits, dim=1)
        acc = torch.sum(preds == test_lbls).float() / test_lbls.shape[0]
        accs.append(acc * 100)
        tot += acc
    print("Average accuracy:", tot / 50)
    accs = torch.stack(accs)
    return {
        "losses": losses,
        "best": best.item(),
        "last": last,
        "loaded": model.gcn.fc.weight,
        "act": model.gcn.act.weight,
        "logreg": log.fc.weight,
        "accs": accs,
        "std": accs.std(),
    }
