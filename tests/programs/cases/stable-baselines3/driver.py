import gymnasium as gym
import numpy as np
import torch as th
from gymnasium import spaces

from stable_baselines3 import A2C, DQN, PPO, SAC, TD3
from stable_baselines3.common import distributions
from stable_baselines3.common.noise import NormalActionNoise
from stable_baselines3.common.sb2_compat.rmsprop_tf_like import RMSpropTFLike

NOISE = np.random.RandomState(0)


class Gaussian(distributions.DiagGaussianDistribution):
    """Draws with NumPy, so that a seed gives the same actions wherever it runs."""

    def sample(self):
        mean = self.distribution.mean
        noise = th.as_tensor(NOISE.randn(*mean.shape).astype(np.float32))
        return mean + self.distribution.stddev * noise


class SquashedGaussian(distributions.SquashedDiagGaussianDistribution):
    def sample(self):
        mean = self.distribution.mean
        noise = th.as_tensor(NOISE.randn(*mean.shape).astype(np.float32))
        self.gaussian_actions = mean + self.distribution.stddev * noise
        return th.tanh(self.gaussian_actions)


class Choices(distributions.CategoricalDistribution):
    def sample(self):
        probabilities = self.distribution.probs.detach().cpu().numpy()
        bounds = probabilities.cumsum(-1)
        drawn = NOISE.rand(len(bounds), 1)
        return th.as_tensor((drawn > bounds[:, :-1]).sum(-1))


class MadeUpEnv(gym.Env):
    """Wants the sum of what is seen; episodes of seven steps."""

    def __init__(self, is_discrete=False, is_seen=False):
        self.is_seen = is_seen
        shape = (1, 36, 36) if is_seen else (4,)
        low, high, dtype = (0, 255, np.uint8) if is_seen else (-3, 3, np.float32)
        self.observation_space = spaces.Box(low, high, shape, dtype)
        self.action_space = spaces.Discrete(3) if is_discrete else spaces.Box(-1, 1, (2,), np.float32)
        self.rng = np.random.RandomState(1)
        self.steps = 0

    def seen(self):
        if self.is_seen:
            return self.rng.randint(0, 256, (1, 36, 36)).astype(np.uint8)
        self.state = self.rng.uniform(-1, 1, 4).astype(np.float32)
        return self.state

    def reset(self, seed=None, options=None):
        self.steps = 0
        return self.seen(), {}

    def step(self, action):
        self.steps += 1
        reward = 1.0 - abs(float(np.sum(action)) - self.steps % 3)
        return self.seen(), reward, self.steps >= 7, False, {}


SMALL = {"net_arch": [12, 10]}


def ppo(**changes):
    return PPO("MlpPolicy", MadeUpEnv(True), n_steps=16, batch_size=8, n_epochs=2, seed=0, policy_kwargs=dict(SMALL), **changes)


def ppo_gaussian():
    kwargs = dict(net_arch=dict(pi=[8], vf=[9]), activation_fn=th.nn.ReLU, log_std_init=-0.5)
    return PPO(
        "MlpPolicy", MadeUpEnv(), n_steps=16, batch_size=8, n_epochs=2, seed=0, clip_range_vf=0.2, ent_coef=0.01,
        target_kl=1.0, learning_rate=lambda left: 1e-3 * left, policy_kwargs=kwargs,
    )  # fmt: skip


def a2c():
    kwargs = dict(net_arch=[10], optimizer_class=RMSpropTFLike, optimizer_kwargs=dict(eps=1e-5))
    return A2C("MlpPolicy", MadeUpEnv(True), n_steps=5, seed=0, policy_kwargs=kwargs)


def seen():
    return PPO("CnnPolicy", MadeUpEnv(True, True), n_steps=8, batch_size=4, n_epochs=1, seed=0)


def sac():
    return SAC("MlpPolicy", MadeUpEnv(), learning_starts=10, batch_size=8, buffer_size=200, seed=0, policy_kwargs=dict(SMALL))


def td3():
    return TD3(
        "MlpPolicy", MadeUpEnv(), learning_starts=10, batch_size=8, buffer_size=200, seed=0, policy_kwargs=dict(SMALL),
        target_policy_noise=0.0, action_noise=NormalActionNoise(np.zeros(2), 0.1 * np.ones(2)),
    )  # fmt: skip


def dqn():
    return DQN(
        "MlpPolicy", MadeUpEnv(True), learning_starts=10, batch_size=8, buffer_size=200, seed=0, train_freq=2,
        target_update_interval=6, policy_kwargs=dict(SMALL),
    )  # fmt: skip


ALGORITHMS = {
    "ppo": ppo, "gaussian": ppo_gaussian, "a2c": a2c, "seen": seen, "sac": sac, "td3": td3, "dqn": dqn,
}  # fmt: skip


def build():
    return tuple(make().policy for make in ALGORITHMS.values())


def observations(policy, count=3):
    rng = np.random.RandomState(5)
    if len(policy.observation_space.shape) == 3:
        return rng.randint(0, 256, (count, 1, 36, 36)).astype(np.uint8)
    return rng.uniform(-1, 1, (count, 4)).astype(np.float32)


def judged(policy):
    seen, _ = policy.obs_to_tensor(observations(policy))
    discrete = isinstance(policy.action_space, spaces.Discrete)
    actions = th.tensor([0, 2, 1]) if discrete else th.tensor([[0.1, -0.2], [0.5, 0.3], [-0.9, 0.0]])
    values, log_prob, entropy = policy.evaluate_actions(seen, actions)
    return th.cat([values.flatten(), log_prob, entropy])


def forward(*nets):
    outputs = {}
    for name, policy in zip(ALGORITHMS, nets):
        policy.set_training_mode(False)
        outputs[name + "_actions"] = lambda policy=policy: policy.predict(observations(policy), deterministic=True)[0]
        if name in ("ppo", "gaussian", "a2c", "seen"):
            outputs[name + "_judged"] = lambda policy=policy: judged(policy)
    sac_policy, td3_policy, dqn_policy = nets[-3:]
    state = th.as_tensor(observations(sac_policy))
    outputs["q_values"] = lambda: th.cat(sac_policy.critic(state, th.ones(3, 2)), dim=1)
    outputs["q1"] = lambda: td3_policy.critic_target.q1_forward(state, th.ones(3, 2))
    outputs["q_net"] = lambda: dqn_policy.q_net(state)
    return outputs


def draws_with_numpy():
    distributions.DiagGaussianDistribution.sample = Gaussian.sample
    distributions.SquashedDiagGaussianDistribution.sample = SquashedGaussian.sample
    distributions.CategoricalDistribution.sample = Choices.sample


def train(*nets):
    draws_with_numpy()
    results = {}
    for (name, make), policy in zip(ALGORITHMS.items(), nets):
        global NOISE
        NOISE = np.random.RandomState(2)
        model = make()
        model.policy.load_state_dict(policy.state_dict())
        np.random.seed(3)  # building networks may draw from it, too
        model.learn(total_timesteps=18 if name in ("sac", "td3", "dqn") else 32)
        results[name + "_reward"] = float(np.mean([info["r"] for info in model.ep_info_buffer]))
        for number, (_, value) in enumerate(model.policy.named_parameters()):
            if number % 4 == 0:
                results[f"{name}_{number}"] = value
        model.save(name)
        again = type(model).load(name, env=make().env)
        acts, _ = again.predict(observations(again.policy), deterministic=True)
        results[name + "_again"] = acts
        np.random.seed(4)
        again.learn(total_timesteps=16, reset_num_timesteps=False)
        results[name + "_last"] = list(again.policy.parameters())[-1]
    return results
