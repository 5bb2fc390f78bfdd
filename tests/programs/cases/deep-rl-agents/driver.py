import multiprocessing
import random

import numpy as np
import torch

from agents import Base_Agent as base_agent
from agents.actor_critic_agents.A3C import A3C, Actor_Critic_Worker
from agents.actor_critic_agents.DDPG import DDPG
from agents.DQN_agents.DDQN_With_Prioritised_Experience_Replay import DDQN_With_Prioritised_Experience_Replay
from utilities.data_structures.Config import Config

STATE, DISCRETE, CONTINUOUS = 4, 3, 2
agents = {}


class NN(torch.nn.Module):
    """As much of nn_builder's network as the agents need."""

    def __init__(self, input_dim, layers_info, output_activation, hidden_activations, random_seed, **settings):
        super().__init__()
        *hidden, last = layers_info
        sizes = [input_dim, *hidden]
        self.hidden_layers = torch.nn.ModuleList([torch.nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
        lasts = last if isinstance(last, list) else [last]
        self.output_layers = torch.nn.ModuleList([torch.nn.Linear(sizes[-1], size) for size in lasts])
        self.activations = output_activation if isinstance(output_activation, list) else [output_activation]

    def forward(self, x):
        for layer in self.hidden_layers:
            x = torch.relu(layer(x))
        outputs = []
        for layer, activation in zip(self.output_layers, self.activations):
            y = layer(x)
            if activation == "softmax":
                y = torch.softmax(y, dim=1)
            elif activation == "tanh":
                y = torch.tanh(y)
            outputs.append(y)
        return torch.cat(outputs, dim=1) if len(outputs) > 1 else outputs[0]


base_agent.NN = NN


class Space:
    def __init__(self, dtype, size):
        self.dtype, self.n, self.shape = np.dtype(dtype), size, (size,)


class Environment:
    """Episodes of eight steps; the states do not depend on the actions."""

    id, reward_threshold, trials = "Made Up", 100.0, 10

    def __init__(self, dtype, size):
        self.action_space = Space(dtype, size)
        self.unwrapped = self
        self.rng = np.random.RandomState(5)
        self.steps = 0

    def seed(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.steps = 0
        return self.rng.randn(STATE)

    def step(self, action):
        self.steps += 1
        return self.rng.randn(STATE), float(self.rng.rand()), self.steps == 8, {}


def configuration(dtype, size, hyperparameters):
    config = Config()
    config.seed = 1
    config.environment = Environment(dtype, size)
    config.hyperparameters = hyperparameters
    config.use_GPU = False
    config.num_episodes_to_run = 3
    return config


def network(activation):
    return {
        "learning_rate": 0.01,
        "linear_hidden_units": [16, 8],
        "final_layer_activation": activation,
        "gradient_clipping_norm": 5.0,
        "batch_norm": False,
        "tau": 0.1,
        "buffer_size": 100,
    }


def build():
    dqn = {
        **network(None),
        "batch_size": 8,
        "epsilon_decay_rate_denominator": 1.0,
        "discount_rate": 0.99,
        "update_every_n_steps": 1,
        "alpha_prioritised_replay": 0.6,
        "beta_prioritised_replay": 0.1,
        "incremental_td_error": 1e-8,
        "learning_iterations": 1,
        "clip_rewards": False,
    }
    ddpg = {
        "Actor": network("tanh"),
        "Critic": network(None),
        "batch_size": 8,
        "discount_rate": 0.99,
        "mu": 0.0,
        "theta": 0.15,
        "sigma": 0.25,
        "update_every_n_steps": 2,
        "learning_updates_per_learning_session": 1,
        "clip_rewards": False,
    }
    a3c = {
        **network(["softmax", None]),
        "discount_rate": 0.99,
        "epsilon_decay_rate_denominator": 1e9,
        "exploration_worker_difference": 1.0,
        "normalise_rewards": True,
        "clip_rewards": False,
    }
    agents["dqn"] = DDQN_With_Prioritised_Experience_Replay(configuration("int64", DISCRETE, dqn))
    agents["ddpg"] = DDPG(configuration("float32", CONTINUOUS, ddpg))
    agents["a3c"] = A3C(configuration("int64", DISCRETE, a3c))
    return (
        agents["dqn"].q_network_local,
        agents["ddpg"].actor_local,
        agents["ddpg"].critic_local,
        agents["a3c"].actor_critic,
    )


def rows(seed, count, width):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, width).astype("float32"))


def forward(q, actor, critic, actor_critic):
    return {
        "q": q(rows(0, 4, STATE)),
        "actor": actor(rows(0, 4, STATE)),
        "critic": critic(rows(1, 4, STATE + CONTINUOUS)),
        "actor_critic": actor_critic(rows(0, 4, STATE)),
    }


class EmptyError(Exception):
    pass


class Queue:
    """A queue of one process, which says when nothing is left."""

    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)

    def get(self):
        if not self.items:
            raise EmptyError
        return self.items.pop(0)


def train(q, actor, critic, actor_critic):
    agents["dqn"].copy_model_over(q, agents["dqn"].q_network_target)
    agents["ddpg"].copy_model_over(actor, agents["ddpg"].actor_target)
    agents["ddpg"].copy_model_over(critic, agents["ddpg"].critic_target)
    for name in ("dqn", "ddpg"):
        random.seed(2)
        np.random.seed(2)
        agents[name].run_n_episodes(show_whether_achieved_goal=False)

    random.seed(3)
    agent, gradients, results = agents["a3c"], Queue(), Queue()
    agent.optimizer_lock = multiprocessing.Lock()
    local = agent.create_NN(input_dim=STATE, output_dim=[DISCRETE, 1])
    worker = Actor_Critic_Worker(
        0,
        Environment("int64", DISCRETE),
        agent.actor_critic,
        multiprocessing.Value("i", 0),
        agent.optimizer_lock,
        agent.actor_critic_optimizer,
        agent.config,
        2,
        1e9,
        agent.action_size,
        agent.action_types,
        results,
        local,
        gradients,
    )
    for _ in range(2):
        worker.run()
        try:
            agent.update_shared_model(gradients)
        except EmptyError:
            pass
    return {
        "dqn": q.hidden_layers[0].weight,
        "dqn_target": agents["dqn"].q_network_target.output_layers[0].weight,
        "actor": actor.hidden_layers[1].weight,
        "critic": critic.output_layers[0].weight,
        "actor_critic": actor_critic.hidden_layers[0].weight,
        "value": actor_critic.output_layers[1].weight,
    }
