import pathlib
import sys

import numpy as np
import torch
from torch.distributions import Categorical

sys.path.insert(0, str(pathlib.Path(__file__).parent / "reinforcement_learning"))

arguments = sys.argv
sys.argv = ["actor_critic.py"]
import actor_critic  # noqa: E402
import reinforce  # noqa: E402

sys.argv = arguments
reinforce.policy.dropout.p = 0.0


def build():
    return actor_critic.model, reinforce.policy


def states(seed, size):
    return np.random.RandomState(seed).uniform(-1, 1, (size, 4))


def forward(actor, policy):
    actor.eval()
    policy.eval()
    x = torch.from_numpy(states(0, 5)).float()
    return {"actor": lambda: actor(x), "policy": lambda: policy(x), "action": reinforce.select_action(x[0].numpy()) in (0, 1)}


def train(actor, policy):
    """The scripts' episodes with given actions, as those that they draw would be random."""
    actor.train()
    policy.train()
    del policy.saved_log_probs[:]
    # The bench trains several times: each time with new optimizers, like the scripts'.
    actor_critic.optimizer = torch.optim.Adam(actor.parameters(), lr=3e-2)
    reinforce.optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    rng = np.random.RandomState(1)
    for episode in range(3):
        for state in states(episode, 6 + episode):
            probs, value = actor(torch.from_numpy(state).float())
            action = torch.tensor(rng.randint(2))
            actor.saved_actions.append(actor_critic.SavedAction(Categorical(probs).log_prob(action), value))
            actor.rewards.append(float(rng.rand()))
        actor_critic.finish_episode()
        for state in states(10 + episode, 6 + episode):
            probs = policy(torch.from_numpy(state).float().unsqueeze(0))
            action = torch.tensor([rng.randint(2)])
            policy.saved_log_probs.append(Categorical(probs).log_prob(action))
            policy.rewards.append(float(rng.rand()))
        reinforce.finish_episode()
    return {
        "affine": actor.affine1.weight,
        "action_head": actor.action_head.bias,
        "value_head": actor.value_head.weight,
        "policy": policy.affine2.weight,
        "left": len(policy.rewards) + len(actor.saved_actions),
    }
