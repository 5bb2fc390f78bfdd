import argparse
import os

import numpy as np
import torch

import buffer
import main
import TD7

OBSERVED, ACTIONS, ROWS = 5, 2, 12
agents = []


class Ordered(buffer.LAP):
    """Rows in their order: no randomness may decide which are seen."""

    def sample(self):
        drawn = super().sample()
        assert len(drawn) == 5
        self.ind = np.arange(self.batch_size) % self.size
        rows = (self.state, self.action, self.next_state, self.reward, self.not_done)
        return tuple(torch.tensor(one[self.ind], dtype=torch.float, device=self.device) for one in rows)


def agent(offline):
    settings = TD7.Hyperparameters(
        batch_size=8, buffer_size=64, target_update_rate=3, exploration_noise=0.0, target_policy_noise=0.0,
        steps_before_checkpointing=6, max_eps_when_checkpointing=2, zs_dim=8, enc_hdim=16, critic_hdim=16,
        actor_hdim=16, encoder_lr=3e-3, critic_lr=3e-3, actor_lr=3e-3,
    )  # fmt: skip
    new = TD7.Agent(OBSERVED, ACTIONS, 2.0, offline=offline, hp=settings)
    new.replay_buffer = Ordered(OBSERVED, ACTIONS, new.device, 64, 8, 2.0, normalize_actions=True, prioritized=True)
    return new


NETS = ("actor", "critic", "encoder")


def build():
    agents[:] = [agent(False), agent(True)]
    return tuple(getattr(one, name) for one in agents for name in NETS)


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(actor, critic, encoder, *others):
    state, action = array(0, 4, OBSERVED), torch.tanh(array(1, 4, ACTIONS))
    zs = encoder.zs(state)
    zsa = encoder.zsa(zs, action)
    return {
        "zs": zs,
        "zsa": zsa,
        "actor": lambda: actor(state, zs),
        "critic": lambda: critic(state, action, zsa, zs),
        "normed": lambda: TD7.AvgL1Norm(array(2, 3, 6) * torch.tensor([[1.0], [0.0], [5.0]])),
        "huber": lambda: TD7.LAP_huber(array(3, 6, 2).abs() * 2),
        "huber_later": lambda: TD7.LAP_huber(array(3, 6, 2).abs() * 2, min_priority=0.5),
        "settings": lambda: [TD7.Hyperparameters().batch_size, TD7.Hyperparameters().discount],
    }


class World:
    """A few steps in which what is done counts."""

    _max_episode_steps = 5

    class action_space:
        count = 0

        @classmethod
        def sample(cls):
            cls.count += 1
            return np.cos(np.arange(ACTIONS) + cls.count) * 2

    def reset(self):
        self.state, self.steps = np.linspace(-1.0, 1.0, OBSERVED), 0
        return self.state

    def step(self, action):
        self.steps += 1
        self.state = np.roll(0.9 * self.state, 1) + 0.1 * float(action.sum())
        return self.state, float(action[0]) - 0.1 * float(action[1]), self.steps == 5, {}

    def get_normalized_score(self, score):
        return score / 10.0


def follow(one):
    for mine, its in (("actor_target", "actor"), ("critic_target", "critic"), ("fixed_encoder", "encoder")):
        getattr(one, mine).load_state_dict(getattr(one, its).state_dict())
    one.fixed_encoder_target.load_state_dict(one.encoder.state_dict())
    one.checkpoint_actor.load_state_dict(one.actor.state_dict())
    one.checkpoint_encoder.load_state_dict(one.encoder.state_dict())


def train(*nets):
    results = {}
    os.makedirs("results", exist_ok=True)
    args = argparse.Namespace(
        max_timesteps=24, use_checkpoints=True, timesteps_before_training=9, eval_freq=12, eval_eps=2, file_name="played"
    )
    online, offline = agents
    for one in agents:
        follow(one)
    main.train_online(online, World(), World(), args)
    results["played"] = np.load("results/played.npy").tolist()
    results["priority"] = online.replay_buffer.priority[:20]
    results["bounds"] = [online.max, online.min, online.max_target, online.min_target, online.best_min_return]
    results["steps"] = [online.training_steps, online.max_eps_before_update, online.replay_buffer.max_priority]
    draw = np.random.RandomState(7)
    data = {
        "observations": draw.randn(ROWS, OBSERVED),
        "actions": np.tanh(draw.randn(ROWS, ACTIONS)),
        "next_observations": draw.randn(ROWS, OBSERVED),
        "rewards": draw.randn(ROWS),
        "terminals": np.arange(ROWS) % 5 == 4,
    }
    offline.replay_buffer.load_D4RL(data)
    for _ in range(4):
        offline.train()
    results["offline_priority"] = offline.replay_buffer.priority
    results["offline_action"] = offline.select_action(np.ones(OBSERVED), use_exploration=False)
    for name, one in (("online", online), ("offline", offline)):
        for net in (*NETS, "actor_target", "critic_target", "fixed_encoder", "fixed_encoder_target"):
            results[f"{name}_{net}"] = list(getattr(one, net).parameters())[-2]
    results["checkpoint"] = online.checkpoint_actor.l3.weight
    return results
