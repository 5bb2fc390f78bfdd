import numpy as np
import torch
from torch import nn, optim
from torch.distributions import Normal
from torch.distributions.kl import kl_divergence
from torch.nn import functional as F

from env import postprocess_observation
from memory import ExperienceReplay
from models import Encoder, ObservationModel, RewardModel, TransitionModel, bottle
from planner import MPCPlanner

BELIEF, STATE, ACTION, HIDDEN, EMBEDDING, OBSERVATION = 12, 6, 2, 10, 16, 5
BATCH, CHUNK = 4, 5


def build():
    return (
        TransitionModel(BELIEF, STATE, ACTION, HIDDEN, EMBEDDING, "elu"),
        ObservationModel(True, OBSERVATION, BELIEF, STATE, EMBEDDING),
        RewardModel(BELIEF, STATE, HIDDEN, "relu"),
        Encoder(True, OBSERVATION, EMBEDDING),
        ObservationModel(False, OBSERVATION, BELIEF, STATE, EMBEDDING),
        Encoder(False, OBSERVATION, EMBEDDING),
    )


def tensor(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(transition, observation, reward, encoder, decoder, visual_encoder):
    beliefs, states = tensor(0, 3, BATCH, BELIEF), tensor(1, 3, BATCH, STATE)

    def one_step():
        hidden = transition(tensor(2, BATCH, STATE), tensor(3, 1, BATCH, ACTION), tensor(4, BATCH, BELIEF))
        return [hidden[0], hidden[2], hidden[3]]

    def with_observations():
        embedded = bottle(encoder, (tensor(5, 1, BATCH, OBSERVATION),))
        hidden = transition(
            tensor(2, BATCH, STATE), tensor(3, 1, BATCH, ACTION), tensor(4, BATCH, BELIEF), embedded,
            torch.ones(1, BATCH, 1),
        )  # fmt: skip
        return [hidden[0], hidden[5], hidden[6]]

    def planned():
        # Where actions have no room the candidates are all the same.
        planner = MPCPlanner(ACTION, 3, 2, 8, 3, transition, reward, 0.25, 0.25)
        return planner(tensor(4, 2, BELIEF), tensor(2, 2, STATE))

    return {
        "observation": bottle(observation, (beliefs, states)),
        "reward": bottle(reward, (beliefs, states)),
        "images": bottle(decoder, (beliefs[:1], states[:1])),
        "encoded": visual_encoder(tensor(6, 2, 3, 64, 64)),
        "one_step": one_step,
        "with_observations": with_observations,
        "planned": planned,
        "stored": lambda: postprocess_observation(np.linspace(-0.5, 0.49, 12).reshape(3, 4), 5).astype("float32"),
    }


def filled_memory():
    memory = ExperienceReplay(60, True, OBSERVATION, ACTION, 5, torch.device("cpu"))
    for step in range(40):
        memory.append(tensor(100 + step, OBSERVATION), tensor(200 + step, ACTION), 0.1 * step, True)
    return memory


def train(transition, observation, reward, encoder, decoder, visual_encoder):
    """The steps of main.py. All transitions are terminal, so that the state that was drawn decides nothing."""
    np.random.seed(0)
    memory = filled_memory()
    param_list = (
        list(transition.parameters())
        + list(observation.parameters())
        + list(reward.parameters())
        + list(encoder.parameters())
    )
    optimiser = optim.Adam(param_list, lr=0, eps=1e-4)
    free_nats = torch.full((1,), 0.5, dtype=torch.float32)
    global_prior = Normal(torch.zeros(BATCH, STATE), torch.ones(BATCH, STATE))
    losses = []
    for _ in range(3):
        observations, actions, rewards, nonterminals = memory.sample(BATCH, CHUNK)
        init_belief, init_state = torch.zeros(BATCH, BELIEF), torch.zeros(BATCH, STATE)
        beliefs, _, prior_means, prior_std_devs, _, posterior_means, posterior_std_devs = transition(
            init_state, actions[:-1], init_belief, bottle(encoder, (observations[1:],)), nonterminals[:-1]
        )
        observation_loss = (
            F.mse_loss(bottle(observation, (beliefs, posterior_means)), observations[1:], reduction="none")
            .sum(dim=2)
            .mean(dim=(0, 1))
        )
        reward_loss = F.mse_loss(
            bottle(reward, (beliefs, posterior_means)), rewards[:-1], reduction="none"
        ).mean(dim=(0, 1))
        kl_loss = torch.max(
            kl_divergence(
                Normal(posterior_means, posterior_std_devs), Normal(prior_means, prior_std_devs)
            ).sum(dim=2),
            free_nats,
        ).mean(dim=(0, 1))
        kl_loss += 0.1 * kl_divergence(Normal(posterior_means, posterior_std_devs), global_prior).sum(dim=2).mean(
            dim=(0, 1)
        )
        for group in optimiser.param_groups:
            group["lr"] = min(group["lr"] + 1e-2 / 4, 1e-2)
        optimiser.zero_grad()
        (observation_loss + reward_loss + kl_loss).backward()
        nn.utils.clip_grad_norm_(param_list, 1.0, norm_type=2)
        optimiser.step()
        losses.append([observation_loss.item(), reward_loss.item(), kl_loss.item()])
    visual = optim.Adam(list(decoder.parameters()) + list(visual_encoder.parameters()), lr=1e-3)
    images = tensor(300, 2, 3, 64, 64)
    for _ in range(2):
        embedded = visual_encoder(images)
        loss = F.mse_loss(decoder(embedded[:, :BELIEF], embedded[:, -STATE:]), images)
        visual.zero_grad()
        loss.backward()
        visual.step()
        losses.append([loss.item()] * 3)
    return {
        "losses": np.array(losses),
        "lr": optimiser.param_groups[0]["lr"],
        "prior": transition.fc_state_prior.weight,
        "rnn": transition.rnn.weight_hh,
        "conv": visual_encoder.conv2.weight,
    }
