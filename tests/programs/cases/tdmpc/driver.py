import os
import sys
from types import SimpleNamespace

import numpy as np
import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "src"))

import algorithm.helper as h  # noqa: E402
from algorithm.tdmpc import TDMPC  # noqa: E402

LENGTH, ACTION = 8, 2


def config(modality):
    return SimpleNamespace(
        modality=modality, obs_shape=(5,) if modality == "state" else (6, 84, 84), action_dim=ACTION, enc_dim=12,
        latent_dim=8, mlp_dim=16, frame_stack=2, num_channels=4, img_size=84, lr=1e-3, device="cpu", seed_steps=2,
        std_schedule="linear(0.5, 0.05, 20)", horizon_schedule="linear(1, 3, 10)", horizon=3, mixture_coef=0.2,
        num_samples=15, num_elites=6, iterations=2, temperature=0.5, momentum=0.1, min_std=0.05, discount=0.99,
        rho=0.5, consistency_coef=2, reward_coef=0.5, value_coef=0.1, grad_clip_norm=10, update_freq=2, tau=0.1,
        train_steps=40, max_buffer_size=40, episode_length=LENGTH, batch_size=6, per_alpha=0.6, per_beta=0.4,
    )  # fmt: skip


def build():
    build.agents = {modality: TDMPC(config(modality)) for modality in ("state", "pixels")}
    rng = np.random.RandomState(1)
    for agent in build.agents.values():
        for net in (agent.model._reward, agent.model._Q1, agent.model._Q2):
            values = 0.2 * rng.randn(1, 16).astype("float32")
            net[-1].weight.data.copy_(torch.from_numpy(values))
    return tuple(agent.model for agent in build.agents.values())


def observation(rng, modality):
    return (
        rng.randn(5).astype("float32")
        if modality == "state"
        else rng.randint(0, 255, (6, 84, 84)).astype("uint8")
    )


def filled(modality):
    cfg, rng = config(modality), np.random.RandomState(3)
    buffer = h.ReplayBuffer(cfg)
    for _ in range(4):
        episode = h.Episode(cfg, observation(rng, modality))
        for step in range(LENGTH):
            action = torch.from_numpy(rng.uniform(-1, 1, ACTION).astype("float32"))
            episode += (observation(rng, modality), action, float(rng.rand()), step == LENGTH - 1)
        buffer += episode
    return buffer


def forward(*nets):
    def planned(modality):
        np.random.seed(4)
        agent, rng = build.agents[modality], np.random.RandomState(5)
        agent.model.eval()
        first = agent.plan(observation(rng, modality), step=5, t0=True).clone()
        second = agent.plan(observation(rng, modality), eval_mode=True, step=30, t0=False)
        return [first, second, agent._prev_mean]

    def sampled(modality):
        np.random.seed(6)
        return list(filled(modality).sample())

    def shifted():
        np.random.seed(7)
        images = np.random.rand(2, 3, 84, 84).astype("float32")
        return h.RandomShiftsAug(config("pixels"))(torch.from_numpy(images))

    state, pixels = nets
    x = torch.from_numpy(np.random.RandomState(8).randn(4, 5).astype("float32"))
    frames = torch.from_numpy(np.random.RandomState(8).randint(0, 255, (2, 6, 84, 84)).astype("float32"))
    a = torch.from_numpy(np.random.RandomState(9).uniform(-1, 1, (4, ACTION)).astype("float32"))
    return {
        "h": lambda: state.h(x),
        "pixels": lambda: pixels.h(frames),
        "next": lambda: state.next(state.h(x), a),
        "pi": lambda: state.pi(state.h(x)),
        "Q": lambda: state.Q(state.h(x), a),
        "state_plan": lambda: planned("state"),
        "pixels_plan": lambda: planned("pixels"),
        "state_sample": lambda: sampled("state"),
        "pixels_sample": lambda: sampled("pixels"),
        "shifted": shifted,
        "schedule": lambda: torch.tensor(
            [h.linear_schedule("linear(1, 3, 10)", 4), h.linear_schedule("0.5", 3)]
        ),
    }


def trained(modality):
    agent, buffer = build.agents[modality], filled(modality)
    agent.model_target.load_state_dict(agent.model.state_dict())
    np.random.seed(2)
    metrics = [list(agent.update(buffer, step).values()) for step in range(3)]
    agent.save("agent.pt")
    agent.load("agent.pt")
    metrics.append(list(agent.update(buffer, 4).values()))
    model, target = agent.model, agent.model_target
    return [
        torch.tensor(metrics), model._encoder[-1].weight, model._pi[0].weight, model._Q1[-1].weight,
        target._Q2[0].weight, target._dynamics[2].bias, buffer._priorities,
    ]  # fmt: skip


def train(*nets):
    return {"state": lambda: trained("state"), "pixels": lambda: trained("pixels")}


def init():
    cfg = config("state")
    cfg.enc_dim, cfg.latent_dim, cfg.mlp_dim = 60, 40, 50
    model = TDMPC(cfg).model
    return {"encoder": model._encoder[2].weight, "pi": model._pi[2].weight}
