import os
from argparse import Namespace

import numpy as np
import torch

import run
from model.message_passing import scatter_

# A small knowledge graph in the form of FB15k-237.
rng = np.random.RandomState(0)
os.makedirs("data/toy", exist_ok=True)
os.makedirs("log", exist_ok=True)
os.makedirs("checkpoints", exist_ok=True)
for split, count in (("train", 60), ("valid", 8), ("test", 8)):
    with open(f"data/toy/{split}.txt", "w") as f:
        for _ in range(count):
            f.write("e{:02d}\tr{}\te{:02d}\n".format(rng.randint(20), rng.randint(4), rng.randint(20)))


def settings(**more):
    said = dict(
        name="toy",
        dataset="toy",
        model="compgcn",
        score_func="distmult",
        opn="mult",
        batch_size=16,
        gamma=9.0,
        gpu="-1",
        max_epochs=1,
        l2=0.0,
        lr=0.01,
        lbl_smooth=0.1,
        num_workers=0,
        seed=1,
        restore=False,
        bias=True,
        num_bases=-1,
        init_dim=12,
        gcn_dim=12,
        embed_dim=None,
        gcn_layer=1,
        dropout=0.0,
        hid_drop=0.0,
        hid_drop2=0.0,
        feat_drop=0.0,
        k_w=4,
        k_h=5,
        num_filt=6,
        ker_sz=3,
        log_dir="./log/",
        config_dir="./config/",
    )
    said.update(more)
    return Namespace(**said)


RUNNERS = []


def build():
    RUNNERS[:] = [
        run.Runner(settings(score_func="distmult", opn="mult", gcn_layer=2)),
        run.Runner(settings(score_func="transe", opn="sub")),
        run.Runner(settings(score_func="conve", opn="corr")),
    ]
    return tuple(runner.model for runner in RUNNERS)


def forward(distmult, transe, conve):
    sub, rel = torch.tensor([0, 3, 5, 7]), torch.tensor([1, 0, 6, 3])
    values = torch.from_numpy(np.random.RandomState(1).randn(6, 3).astype("float32"))
    index = torch.tensor([0, 2, 2, 0, 3, 2])
    outputs = {}
    for runner, net in zip(RUNNERS, (distmult, transe, conve)):
        net.eval()
        runner.model = net
        outputs[runner.p.score_func] = lambda net=net: net(sub, rel)
    for name in ("add", "mean", "max"):
        outputs[name] = lambda name=name: scatter_(name, values, index, dim_size=5)
    return outputs


def train(distmult, transe, conve):
    result = {}
    for runner, net in zip(RUNNERS, (distmult, transe, conve)):
        name = runner.p.score_func
        runner.model = net
        runner.optimizer = runner.add_optimizer(net.parameters())
        runner.best_val_mrr = 0.0
        batches = list(runner.data_iter["train"].dataset.triples)[:48]
        dataset = type(runner.data_iter["train"].dataset)(batches, runner.p)
        runner.data_iter["train"] = torch.utils.data.DataLoader(dataset, batch_size=16, collate_fn=dataset.collate_fn)
        result[name + "_loss"] = runner.run_epoch(0)
        result[name + "_measures"] = len(runner.evaluate("valid", 0))  # ranks hang on the last digit
        result[name + "_in"] = net.conv1.w_in
        result[name + "_embed"] = net.init_embed
    return result


def init():
    torch.manual_seed(0)
    runner = run.Runner(settings(init_dim=80, k_w=10, k_h=8))
    return {"embed": runner.model.init_embed, "w_in": runner.model.conv1.w_in}
