import tempfile

import numpy as np
import torch

from src.iql import ImplicitQLearning, asymmetric_l2_loss
from src.policy import DeterministicPolicy, GaussianPolicy
from src.util import (
    Log,
    compute_batched,
    evaluate_policy,
    return_range,
    sample_batch,
    set_seed,
    torchify,
    update_exponential_moving_average,
)
from src.value_functions import TwinQ, ValueFunction

OBSERVED, ACTIONS, WIDTH = 5, 3, 16


def learner(policy):
    return ImplicitQLearning(
        qf=TwinQ(OBSERVED, ACTIONS, hidden_dim=WIDTH, n_hidden=2),
        vf=ValueFunction(OBSERVED, hidden_dim=WIDTH, n_hidden=2),
        policy=policy,
        optimizer_factory=lambda params: torch.optim.Adam(params, lr=3e-3),
        max_steps=4,
        tau=0.7,
        beta=3.0,
        alpha=0.05,
    )


def build():
    return (
        learner(GaussianPolicy(OBSERVED, ACTIONS, hidden_dim=WIDTH)),
        learner(DeterministicPolicy(OBSERVED, ACTIONS, hidden_dim=WIDTH)),
    )


def init():
    set_seed(1)
    net = TwinQ(OBSERVED, ACTIONS)
    return {"first": net.q1[0].weight, "second": net.q2[2].weight, "bias": net.q2[2].bias}


def array(seed, *shape):
    return torchify(np.random.RandomState(seed).randn(*shape))


def samples(rows=40):
    draw = np.random.RandomState(7)
    return {
        "observations": draw.randn(rows, OBSERVED).astype("float32"),
        "actions": np.tanh(draw.randn(rows, ACTIONS)).astype("float32"),
        "next_observations": draw.randn(rows, OBSERVED).astype("float32"),
        "rewards": draw.randn(rows),
        "terminals": np.arange(rows) % 9 == 8,
    }


class World:
    """A few steps in which what is done counts."""

    def reset(self):
        self.state, self.steps = np.linspace(-1.0, 1.0, OBSERVED), 0
        return self.state

    def step(self, action):
        self.steps += 1
        self.state = 0.9 * self.state + 0.1 * float(action.sum())
        return self.state, float(action[0]) - 0.1 * float(action[1]), self.steps == 5, {}


def moved(net):
    before = TwinQ(OBSERVED, ACTIONS, hidden_dim=WIDTH)
    before.load_state_dict(net.q_target.state_dict())
    update_exponential_moving_average(before, net.qf, 0.25)
    return before(array(1, 4, OBSERVED), array(2, 4, ACTIONS))


def forward(net, plain):
    seen, done = array(1, 4, OBSERVED), array(2, 4, ACTIONS)

    def policy():
        out = net.policy(seen)
        return [out.mean, out.stddev, out.covariance_matrix, out.log_prob(done), out.entropy()]

    return {
        "smaller": lambda: net.q_target(seen, done),
        "both": lambda: list(net.qf.both(seen, done)),
        "values": lambda: list(compute_batched(net.vf, [seen, array(3, 2, OBSERVED)])),
        "policy": policy,
        "acts": lambda: [net.policy.act(seen, deterministic=True), net.policy.act(seen[0], deterministic=True)],
        "drawn": lambda: list(net.policy.act(seen).shape),
        "graded": lambda: net.policy.act(seen, True, enable_grad=True),
        "plain": lambda: plain.policy.act(seen),
        "played": lambda: [evaluate_policy(World(), one.policy, 8) for one in (net, plain)],
        "moved": lambda: moved(net),
        "asymmetric": lambda: asymmetric_l2_loss(array(4, 9), 0.8),
        "range": lambda: list(return_range(samples(), 12)),
        "kept": lambda: len(list(net.state_dict())),
        "frozen": lambda: [one.requires_grad for one in net.q_target.parameters()],
    }


def train(net, plain):
    results, data = {}, {name: torchify(values) for name, values in samples().items()}
    drawn = sample_batch(data, 6)
    results["drawn"] = [list(values.shape) for values in drawn.values()]
    for name, one in (("gaussian", net), ("plain", plain)):
        for step in range(3):
            one.update(**{key: values[step * 10 : step * 10 + 10] for key, values in data.items()})
        results[name + "_rate"] = one.policy_lr_schedule.get_last_lr()
        results[name + "_played"] = evaluate_policy(World(), one.policy, 8)
        results[name + "_q"] = one.qf.q2[2].weight
        results[name + "_target"] = one.q_target.q1[0].weight
        results[name + "_v"] = one.vf.v[4].weight
        results[name + "_policy"] = one.policy.net[0].weight
    with tempfile.TemporaryDirectory() as folder:
        log = Log(folder, {"seed": 1})
        log.row({"return mean": results["plain_played"]})
        torch.save(net.state_dict(), log.dir / "final.pt")
        again = learner(GaussianPolicy(OBSERVED, ACTIONS, hidden_dim=WIDTH))
        again.load_state_dict(torch.load(log.dir / "final.pt"))
        log.close()
    results["again"] = again.policy.act(array(1, 4, OBSERVED), deterministic=True)
    results["std"] = net.policy.log_std
    results["losses"] = [float(asymmetric_l2_loss(net.vf(data["observations"]) - data["rewards"], 0.7))]
    return results
