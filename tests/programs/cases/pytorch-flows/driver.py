import importlib
import sys

import numpy as np
import torch

import datasets
import flows as fnn

FEATURES = 6


def made(seed, count):
    rng = np.random.RandomState(seed)
    values = rng.randn(count, FEATURES) @ rng.uniform(-1, 1, (FEATURES, FEATURES))
    return (values + 0.3 * np.sin(2 * values[:, :1])).astype("float32")


class Made:
    class Data:
        def __init__(self, values):
            self.x = values
            self.N = values.shape[0]

    def __init__(self):
        self.trn, self.val, self.tst = self.Data(made(1, 60)), self.Data(made(2, 30)), self.Data(made(3, 25))
        self.n_dims = FEATURES


datasets.MOONS = Made


def autoregressive():
    modules = []
    for _ in range(2):
        modules += [fnn.MADE(FEATURES, 64), fnn.BatchNormFlow(FEATURES), fnn.Reverse(FEATURES)]
    return fnn.FlowSequential(*modules)


def coupled():
    mask = torch.arange(0, FEATURES) % 2
    mask = mask.float()
    modules = []
    for _ in range(2):
        modules += [fnn.CouplingLayer(FEATURES, 32, mask, 3), fnn.BatchNormFlow(FEATURES)]
        mask = 1 - mask
    return fnn.FlowSequential(*modules)


def mixed():
    linear = fnn.LUInvertibleMM(FEATURES)
    # What was drawn and is no parameter stays behind when weights are taken over.
    linear.P = torch.eye(FEATURES)[[1, 0, 2, 4, 3, 5]]
    linear.sign_S = torch.ones(FEATURES)
    split = fnn.MADESplit(FEATURES, 32, 3, s_act="sigmoid", t_act="relu", pre_exp_tanh=True)
    return fnn.FlowSequential(fnn.ActNorm(FEATURES), fnn.InvertibleMM(FEATURES), split, linear)


def build():
    return autoregressive(), coupled(), mixed()


def conditions(count):
    return torch.from_numpy(np.eye(3, dtype="float32")[np.arange(count) % 3])


def forward(maf, real, glow):
    values = torch.from_numpy(made(4, 20))
    condition = conditions(20)
    for net in (maf, real, glow):
        net.eval()
    outputs = {"maf": maf(values), "real": real(values, condition), "glow": glow(values, condition)}
    latent = outputs["glow"][0]
    return outputs | {
        "log_probs": lambda: [
            maf.log_probs(values),
            real.log_probs(values, condition),
            glow.log_probs(values, condition),
        ],
        "back": lambda: glow(latent, condition, mode="inverse"),
        "sampled": lambda: maf.sample(noise=values),
        "conditioned": lambda: real.sample(noise=values, cond_inputs=condition),
        "logit": lambda: fnn.Sigmoid()(values),
        "unlogit": lambda: fnn.Sigmoid()(torch.sigmoid(values), mode="inverse"),
        "masks": lambda: [fnn.get_mask(4, 6, 4, kind) for kind in ("input", "output", None)],
        "many": lambda: maf.sample(num_samples=7).shape,
    }


def train(maf, real, glow):
    sys.argv = [
        "main.py",
        "--no-cuda",
        "--dataset",
        "MOONS",
        "--batch-size",
        "20",
        "--epochs",
        "0",
        "--num-blocks",
        "2",
        "--lr",
        "0.001",
    ]
    # The script trains with what it holds: each training begins with a script of its own.
    sys.modules.pop("main", None)
    main = importlib.import_module("main")
    main.model.load_state_dict(maf.state_dict())
    losses = []
    for epoch in range(2):
        main.train(epoch)
        losses.append(main.validate(epoch, main.model, main.valid_loader))
    losses.append(main.validate(1, main.model, main.test_loader, prefix="Test"))
    values, condition = torch.from_numpy(made(5, 40)), conditions(40)
    for net in (real, glow):
        net.train()
        optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-6)
        for _ in range(3):
            optimizer.zero_grad()
            loss = -net.log_probs(values, condition).mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return {
        "losses": losses,
        "steps": main.global_step,
        "joiner": main.model[0].joiner.linear.weight,
        "gamma": main.model[1].log_gamma,
        "mean": main.model[1].running_mean,
        "var": main.model[4].running_var,
        "scale": real[0].scale_net[4].weight,
        "W": glow[1].W,
        "log_S": glow[3].log_S,
        "actnorm": glow[0].weight,
    }


def init():
    return {"W": fnn.InvertibleMM(30).W, "linear": fnn.MADE(8, 64).joiner.linear.weight}
