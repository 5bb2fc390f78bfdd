import copy
from types import SimpleNamespace

import numpy as np
import torch

import rlkit.torch.distributions as distributions
import rlkit.torch.pytorch_util as ptu
from rlkit.torch.core import eval_np
from rlkit.torch.distributions import Delta, MultivariateDiagonalNormal, TanhNormal
from rlkit.torch.dqn.double_dqn import DoubleDQNTrainer
from rlkit.torch.dqn.dqn import DQNTrainer
from rlkit.torch.networks import CNN, ConcatMlp, Mlp, TanhMlpPolicy
from rlkit.torch.sac.policies import GaussianPolicy, MakeDeterministic, TanhGaussianPolicy
from rlkit.torch.sac.sac import SACTrainer
from rlkit.torch.td3.td3 import TD3Trainer

OBS, ACTIONS, BATCH = 5, 3, 8


def noise(self, sample_size=()):
    """The same draws on every machine."""
    shape = tuple(self.mean.shape)
    return torch.from_numpy(np.random.RandomState(len(shape)).randn(*shape).astype(np.float32))


def reparameterized(self, sample_size=()):
    return self.mean + self.stddev * noise(self)


distributions.MultivariateDiagonalNormal.sample = noise
distributions.MultivariateDiagonalNormal.rsample = reparameterized


def qf():
    return ConcatMlp(input_size=OBS + ACTIONS, output_size=1, hidden_sizes=[8, 8])


def build():
    ptu.set_gpu_mode(False)
    policy = TanhGaussianPolicy(obs_dim=OBS, action_dim=ACTIONS, hidden_sizes=[8, 8])
    gaussian = GaussianPolicy(
        obs_dim=OBS, action_dim=ACTIONS, hidden_sizes=[8, 8], max_log_std=0, min_log_std=-6, std_architecture="values"
    )  # fmt: skip
    actor = TanhMlpPolicy(input_size=OBS, output_size=ACTIONS, hidden_sizes=[8, 8], layer_norm=True)
    discrete = Mlp(input_size=OBS, output_size=ACTIONS, hidden_sizes=[8])
    pixels = CNN(
        input_width=8, input_height=8, input_channels=2, output_size=ACTIONS, kernel_sizes=[3, 3], n_channels=[4, 4],
        strides=[1, 1], paddings=[1, 0], hidden_sizes=[8], pool_type="max2d", pool_sizes=[2, 2], pool_strides=[2, 1],
        pool_paddings=[0, 0], conv_normalization_type="batch", fc_normalization_type="layer",
    )  # fmt: skip
    return policy, qf(), qf(), gaussian, actor, discrete, pixels


def batch(seed, one_hot=False):
    rng = np.random.RandomState(seed)
    actions = (
        np.eye(ACTIONS)[rng.randint(0, ACTIONS, BATCH)] if one_hot else rng.uniform(-1, 1, (BATCH, ACTIONS))
    )
    return {
        "observations": rng.randn(BATCH, OBS),
        "actions": actions,
        "rewards": rng.randn(BATCH, 1),
        "terminals": rng.rand(BATCH, 1) < 0.2,
        "next_observations": rng.randn(BATCH, OBS),
    }


def forward(policy, qf1, qf2, gaussian, actor, discrete, pixels):
    for net in (policy, qf1, qf2, gaussian, actor, discrete, pixels):
        net.eval()
    data = batch(0)
    observations = ptu.from_numpy(data["observations"])
    images = np.random.RandomState(3).randn(2, 2 * 8 * 8).astype(np.float32)

    def logprob():
        value, log_prob = policy(observations).rsample_and_logprob()
        return torch.cat((value, log_prob.unsqueeze(1)), dim=1)

    def divergence():
        p, q = (
            gaussian(observations),
            MultivariateDiagonalNormal(ptu.zeros(BATCH, ACTIONS), ptu.ones(BATCH, ACTIONS)),
        )
        return torch.distributions.kl_divergence(p, q)

    return {
        "mean": lambda: policy(observations).mean,
        "rsample": logprob,
        "sample": lambda: policy(observations).sample(),
        "log_prob": lambda: TanhNormal(ptu.zeros(2, 3), ptu.ones(2, 3)).log_prob(0.5 * ptu.ones(2, 3)),
        "gaussian": lambda: gaussian(observations).log_prob(ptu.from_numpy(data["actions"])),
        "entropy": lambda: gaussian(observations).entropy(),
        "divergence": divergence,
        "estimate": lambda: gaussian(observations).mle_estimate(),
        "deterministic": lambda: MakeDeterministic(policy).get_action(data["observations"][0])[0],
        "stochastic": lambda: policy.get_actions(data["observations"]),
        "delta": lambda: Delta(observations).rsample(),
        "q": lambda: eval_np(qf1, data["observations"], data["actions"]),
        "actor": lambda: actor.get_actions(data["observations"]),
        "discrete": lambda: discrete(observations, return_preactivations=True)[1],
        "pixels": lambda: eval_np(pixels, images),
        "activations": lambda: pixels(ptu.from_numpy(images), return_last_activations=True),
        "product": lambda: ptu.kronecker_product(observations[:2], observations[2:4]),
        "moments": lambda: ptu.double_moments(observations, observations),
    }


def statistics(trainer, name, result):
    for key, value in trainer.get_diagnostics().items():
        result[f"{name} {key}"] = np.array(float(value))


def train(policy, qf1, qf2, gaussian, actor, discrete, pixels):
    ptu.set_gpu_mode(False)
    result = {}
    env = SimpleNamespace(action_space=SimpleNamespace(shape=(ACTIONS,)))
    for name, own in (("sac", policy), ("gaussian", gaussian)):
        one, two = copy.deepcopy(qf1), copy.deepcopy(qf2)
        trainer = SACTrainer(
            env=env, policy=own, qf1=one, qf2=two, target_qf1=copy.deepcopy(one), target_qf2=copy.deepcopy(two),
            policy_lr=1e-2, qf_lr=1e-2, soft_target_tau=0.1, reward_scale=2.0,
        )  # fmt: skip
        for step in range(3):
            trainer.train(batch(10 + step))
            statistics(trainer, f"{name}{step}", result)
            trainer.end_epoch(step)
        result[name + "_policy"] = own.fc0.weight
        result[name + "_alpha"] = trainer.log_alpha.detach()
        result[name + "_target"] = trainer.target_qf1.last_fc.weight
    one, two = copy.deepcopy(qf1), copy.deepcopy(qf2)
    trainer = TD3Trainer(
        policy=actor, qf1=one, qf2=two, target_qf1=copy.deepcopy(one), target_qf2=copy.deepcopy(two),
        target_policy=copy.deepcopy(actor), target_policy_noise=0.0, policy_learning_rate=1e-2, qf_learning_rate=1e-2,
    )  # fmt: skip
    for step in range(3):
        trainer.train(batch(20 + step))
        statistics(trainer, f"td3{step}", result)
        trainer.end_epoch(step)
    result["td3_policy"] = actor.fc1.weight
    result["td3_target"] = trainer.target_policy.fc0.weight
    for name, kind in (("dqn", DQNTrainer), ("double", DoubleDQNTrainer)):
        net = copy.deepcopy(discrete)
        trainer = kind(qf=net, target_qf=copy.deepcopy(net), learning_rate=1e-2, soft_target_tau=0.1)
        for step in range(3):
            trainer.train(batch(30 + step, one_hot=True))
        statistics(trainer, name, result)
        result[name + "_weight"] = net.fc0.weight
        result[name + "_target"] = trainer.target_qf.last_fc.weight
    optimizer = torch.optim.Adam(pixels.parameters(), lr=1e-2)
    pixels.train()
    images = ptu.from_numpy(np.random.RandomState(4).randn(6, 2 * 8 * 8))
    losses = []
    for _ in range(3):
        loss = (pixels(images) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    result["pixels"], result["pixels_weight"] = losses, pixels.conv_layers[0].weight
    return result
