import os
import tempfile

import numpy as np
import torch
import torch.nn.functional as F

from deep_rl import *

STATE, ACTIONS = 6, 3


class Limits:
    low, high = -np.ones(ACTIONS), np.ones(ACTIONS)

    def sample(self):
        return np.random.uniform(-1, 1, ACTIONS)


class MadeUpTask:
    """What Task gives, without an environment behind it."""

    def __init__(self, name, workers=1):
        self.name, self.workers, self.action_space = name, workers, Limits()
        self.state_dim, self.action_dim = STATE, ACTIONS
        self.rng, self.steps = np.random.RandomState(0), 0

    def reset(self):
        return [self.rng.randn(STATE) for _ in range(self.workers)]

    def step(self, actions):
        self.steps += 1
        done = np.asarray([self.steps % 7 == 6] * self.workers)
        info = tuple({"episodic_return": 1.0 if d else None} for d in done)
        reward = self.rng.randn(self.workers) + 0.1 * np.asarray(actions, dtype=float).reshape(self.workers, -1).sum(1)
        return self.reset(), reward, done, info


class Chosen(CategoricalActorCriticNet):
    """Acts as it is told, so that no random numbers decide."""

    def forward(self, obs, action=None):
        if action is None:
            action = tensor(np.arange(len(obs)) % ACTIONS).long()
        return super().forward(obs, action)


networks = {}


def build():
    networks["dqn"] = DuelingNet(ACTIONS, FCBody(STATE, hidden_units=(12, 10)))
    networks["td3"] = TD3Net(
        ACTIONS,
        actor_body_fn=lambda: FCBody(STATE, (10, 8), gate=F.relu),
        critic_body_fn=lambda: FCBody(STATE + ACTIONS, (10, 8), gate=F.relu),
        actor_opt_fn=lambda params: torch.optim.Adam(params, lr=1e-3),
        critic_opt_fn=lambda params: torch.optim.Adam(params, lr=1e-3),
    )
    networks["ppo"] = Chosen(
        STATE, ACTIONS, phi_body=FCBody(STATE, (8,)), actor_body=DummyBody(8), critic_body=FCBody(8, (6,), gate=torch.tanh)
    )
    networks["categorical"] = CategoricalNet(ACTIONS, 5, FCBody(STATE, (8, 8)))
    networks["rainbow"] = RainbowNet(ACTIONS, 5, FCBody(STATE, (8, 8), noisy_linear=True), noisy_linear=True)
    networks["options"] = OptionCriticNet(FCBody(STATE, (8,)), ACTIONS, 2)
    networks["gaussian"] = GaussianActorCriticNet(STATE, ACTIONS, actor_body=FCBody(STATE), critic_body=FCBody(STATE))
    networks["pixels"] = VanillaNet(ACTIONS, NatureConvBody(in_channels=4))
    return tuple(networks.values())


def init():
    torch.manual_seed(0)
    net = NatureConvBody(in_channels=4)
    return {"conv1": net.conv1.weight, "conv2": net.conv2.weight, "noisy": NoisyLinear(20, 30).weight_mu}


def states(seed, count):
    return np.random.RandomState(seed).randn(count, STATE)


def forward(*nets):
    for net in nets:
        net.eval()
    x = states(0, 4)
    action = torch.from_numpy(np.random.RandomState(1).uniform(-1, 1, (4, ACTIONS)).astype("float32"))

    def summed():
        grad = Grad(network=networks["dqn"])
        return grad.add(Grad(grads=[torch.ones_like(g) for g in grad.grads])).mul(0.5).clone().grads

    return {
        "dqn": networks["dqn"](x)["q"],
        "td3": networks["td3"](x),
        "td3_q": lambda: networks["td3"].q(x, action),
        "ppo": lambda: [networks["ppo"](x)[key] for key in ("log_pi_a", "entropy", "v")],
        "categorical": lambda: networks["categorical"](x)["log_prob"],
        "rainbow": lambda: networks["rainbow"](x)["prob"],
        "options": lambda: list(networks["options"](x).values()),
        "gaussian": lambda: [networks["gaussian"](x, action)[key] for key in ("log_pi_a", "entropy", "mean", "v")],
        "pixels": lambda: networks["pixels"](np.random.RandomState(2).rand(1, 4, 84, 84))["q"],
        "huber": lambda: huber(torch.from_numpy(states(3, 2)), 0.7),
        "diagonal": lambda: batch_diagonal(torch.from_numpy(states(3, 2))),
        "trace": lambda: batch_trace(torch.from_numpy(np.random.RandomState(4).randn(2, 3, 3))),
        "grads": summed,
        "batch_log_prob": lambda: BatchCategorical(action.view(2, 2, ACTIONS)).log_prob(torch.zeros(2, 2)),
    }


def configured(**settings):
    config = Config()
    config.merge(settings)
    config.tag = None
    config.state_normalizer, config.reward_normalizer = RescaleNormalizer(0.5), SignNormalizer()
    config.discount = 0.99
    return config


def fed(name):
    """The first network that an agent asks for is the one that was built, the second is its target."""
    waiting = [networks[name]]

    def network_fn():
        if waiting:
            return waiting.pop()
        if name == "dqn":
            return DuelingNet(ACTIONS, FCBody(STATE, hidden_units=(12, 10)))
        return TD3Net(
            ACTIONS,
            actor_body_fn=lambda: FCBody(STATE, (10, 8), gate=F.relu),
            critic_body_fn=lambda: FCBody(STATE + ACTIONS, (10, 8), gate=F.relu),
            actor_opt_fn=lambda params: torch.optim.Adam(params, lr=1e-3),
            critic_opt_fn=lambda params: torch.optim.Adam(params, lr=1e-3),
        )

    return network_fn


def dqn_agent():
    config = configured(double_q=True, async_actor=False, sgd_update_frequency=2, gradient_clip=5)
    config.task_fn = lambda: MadeUpTask("made")
    config.network_fn = fed("dqn")
    config.optimizer_fn = lambda params: torch.optim.RMSprop(params, 0.001)
    replay_kwargs = dict(memory_size=100, batch_size=5, n_step=1, discount=0.99, history_length=1)
    config.replay_eps, config.replay_alpha, config.replay_beta = 0.01, 0.5, LinearSchedule(0.4, 1.0, 100)
    config.replay_fn = lambda: PrioritizedReplay(**replay_kwargs)
    config.random_action_prob = LinearSchedule(1.0, 0.1, 100)
    config.target_network_update_freq, config.exploration_steps = 4, 10
    config.max_steps, config.log_interval = 18, 10
    return DQNAgent(config)


def td3_agent():
    config = configured(td3_noise=0.0, td3_noise_clip=0.5, td3_delay=2, warm_up=12, target_network_mix=5e-3)
    config.task_fn = lambda: MadeUpTask("made")
    config.network_fn = fed("td3")
    config.replay_fn = lambda: UniformReplay(memory_size=100, batch_size=5)
    config.random_process_fn = lambda: OrnsteinUhlenbeckProcess(size=(ACTIONS,), std=LinearSchedule(0.1))
    config.max_steps = 17
    return TD3Agent(config)


def ppo_agent():
    config = configured(num_workers=2, use_gae=True, gae_tau=0.95, entropy_weight=0.01, gradient_clip=0.5)
    config.task_fn = lambda: MadeUpTask("made", workers=2)
    config.network_fn = lambda: networks["ppo"]
    config.optimizer_fn = lambda params: torch.optim.RMSprop(params, lr=1e-3, alpha=0.99, eps=1e-5)
    config.rollout_length, config.optimization_epochs, config.mini_batch_size = 4, 2, 4
    config.ppo_ratio_clip, config.shared_repr, config.max_steps = 0.1, True, 16
    return PPOAgent(config)


def train(*nets):
    import random

    results = {}
    for name, made in (("dqn", dqn_agent), ("td3", td3_agent), ("ppo", ppo_agent)):
        random.seed(0)
        np.random.seed(0)
        networks[name].train()
        agent = made()
        run_steps(agent)
        with tempfile.TemporaryDirectory() as folder:
            agent.save(os.path.join(folder, name))
            agent.load(os.path.join(folder, name))
        results[f"{name}_steps"] = agent.total_steps
    results["dqn_q"] = networks["dqn"](states(5, 3))["q"]
    results["dqn_weight"] = networks["dqn"].fc_value.weight
    results["td3_action"] = networks["td3"](states(5, 3))
    results["td3_critic"] = networks["td3"].critic_body_2.layers[0].weight
    results["ppo_v"] = networks["ppo"](states(5, 3))["v"]
    results["ppo_weight"] = networks["ppo"].phi_body.layers[0].weight
    return results
