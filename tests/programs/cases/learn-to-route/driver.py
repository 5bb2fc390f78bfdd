import copy
from argparse import Namespace

import numpy as np
import torch
import torch.optim as optim

from nets.attention_model import AttentionModel, set_decode_type
from nets.critic_network import CriticNetwork
from problems import CVRP, TSP
from reinforce_baselines import CriticBaseline, ExponentialBaseline, WarmupBaseline
from train import rollout, train_batch

SIZE = 6
OPTS = Namespace(
    device=torch.device("cpu"), eval_batch_size=2, no_progress_bar=True, no_tensorboard=True, max_grad_norm=1.0,
    log_step=1, baseline="critic",
)  # fmt: skip


def tours(seed, size=4):
    return torch.from_numpy(np.random.RandomState(seed).rand(size, SIZE, 2).astype("float32"))


def routes(seed, size=4):
    rng = np.random.RandomState(seed)
    return {
        "loc": torch.from_numpy(rng.rand(size, SIZE, 2).astype("float32")),
        "demand": torch.from_numpy((rng.randint(1, 10, (size, SIZE)) / 20).astype("float32")),
        "depot": torch.from_numpy(rng.rand(size, 2).astype("float32")),
    }


def build():
    return (
        AttentionModel(16, 16, TSP, n_encode_layers=2, n_heads=2, normalization="batch"),
        AttentionModel(16, 16, CVRP, n_encode_layers=1, n_heads=2, normalization="instance"),
        CriticNetwork(2, 16, 16, 1, "batch"),
    )


def forward(tsp, vrp, critic):
    for net in (tsp, vrp, critic):
        net.eval()
    for net in (tsp, vrp):
        set_decode_type(net, "greedy")
    return {
        "tsp": lambda: tsp(tours(1), return_pi=True),
        "vrp": lambda: vrp(routes(1), return_pi=True),
        "critic": lambda: critic(tours(2)),
        "beam": lambda: [part for part in tsp.beam_search(tours(3), beam_size=3)[:2]],
    }


def trained(model, baseline, batches):
    optimizer = optim.Adam(
        [{"params": model.parameters(), "lr": 1e-3}]
        + (
            [{"params": baseline.get_learnable_parameters(), "lr": 1e-3}]
            if len(baseline.get_learnable_parameters()) > 0
            else []
        )
    )
    lr_scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.9**epoch)
    set_decode_type(model, "greedy")
    for epoch in range(3):
        model.train()
        train_batch(model, optimizer, baseline, epoch, 0, epoch, baseline.wrap_dataset(batches(epoch)), None, OPTS)
        baseline.epoch_callback(model, epoch)
        lr_scheduler.step()
    torch.save(
        {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "baseline": baseline.state_dict()}, "route.pt"
    )
    loaded = torch.load("route.pt", map_location=lambda storage, loc: storage, weights_only=False)
    model.load_state_dict({**model.state_dict(), **loaded.get("model", {})})
    for state in optimizer.state.values():
        for k, v in state.items():
            if torch.is_tensor(v):
                state[k] = v.to(OPTS.device)
    return list(model.parameters())[:8] + [optimizer.param_groups[0]["lr"]]


def train(tsp, vrp, critic):
    def tour():
        baseline = CriticBaseline(critic)
        kept = trained(tsp, baseline, tours)
        costs = rollout(tsp, list(tours(8)), OPTS)
        return kept + [costs] + list(critic.parameters())[:4]

    def route():
        kept = trained(vrp, WarmupBaseline(ExponentialBaseline(0.8), 2, warmup_exp_beta=0.8), routes)
        copied = copy.deepcopy(vrp)
        copied.eval()
        with torch.no_grad():
            return kept + list(copied(routes(9)))

    return {"tour": tour, "route": route}
