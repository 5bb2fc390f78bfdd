import numpy as np
import torch

from agents import RNDAgent
from model import NoisyLinear
from utils import RewardForwardFilter, RunningMeanStd, global_grad_norm_, make_train_data, softmax

WORKERS, STEPS, ACTIONS = 2, 3, 4


def agent():
    """All experience in two batches, and all of it for the predictor, so that no draw decides."""
    return RNDAgent(
        (84, 84, 4), ACTIONS, WORKERS, STEPS, 0.999, learning_rate=1e-4, ent_coef=0.001, epoch=2,
        batch_size=WORKERS * STEPS // 2, update_proportion=1.1,
    )  # fmt: skip


def build():
    new = agent()
    return new.model, new.rnd, NoisyLinear(6, 5)


def init():
    torch.manual_seed(3)
    new = agent()
    return {
        "feature": new.model.feature[0].weight,
        "actor": new.model.actor[2].weight,
        "predictor": new.rnd.predictor[7].weight,
        "noisy": NoisyLinear(40, 30).weight,
    }


def with_nets(model, rnd):
    new = agent()
    new.model.load_state_dict(model.state_dict())
    new.rnd.load_state_dict(rnd.state_dict())
    return new


def screens(seed):
    return np.random.RandomState(seed).randint(0, 255, (WORKERS, 4, 84, 84))


def forward(model, rnd, noisy):
    state = torch.from_numpy(np.float32(screens(0)) / 255.0)
    policy, value_ext, value_int = model(state)
    predicted, target = rnd(state[:, 3:])
    noisy.eval()
    noisy.noise.fill_(0.2)
    noisy.out_noise.fill_(0.3)
    return {
        "policy": policy,
        "value_ext": value_ext,
        "value_int": value_int,
        "predicted": predicted,
        "target": target,
        "reward": lambda: with_nets(model, rnd).compute_intrinsic_reward(screens(1)[:, 3:] / 255.0),
        "noisy": lambda: noisy(torch.ones(3, 6)),
    }


def train(model, rnd, noisy):
    """The loop of the repository's train.py, for two updates, of a game that is made up."""
    new = with_nets(model, rnd)
    np.random.seed(0)
    reward_rms, obs_rms, discounted = RunningMeanStd(), RunningMeanStd(shape=(1, 1, 84, 84)), RewardForwardFilter(0.99)
    obs_rms.update(np.concatenate([screens(seed)[:, 3:] for seed in range(4)]))
    rewards, values, norms, probabilities = [], [], [], []
    for update in range(2):
        kept = {name: [] for name in ("state", "reward", "done", "next", "action", "inner", "ext", "int", "policy")}
        states = screens(10 * update)
        for step in range(STEPS):
            actions, value_ext, value_int, policy = new.get_action(np.float32(states) / 255.0)
            following = screens(10 * update + step + 1)
            next_obs = following[:, 3:]
            inner = new.compute_intrinsic_reward(
                ((next_obs - obs_rms.mean) / np.sqrt(obs_rms.var)).clip(-5, 5)
            )
            row = [states, np.float32(actions == 1), np.float32(actions == 2), next_obs, actions, inner]
            for name, value in zip(kept, [*row, value_ext, value_int, policy]):
                kept[name].append(value)
            states = following
        _, value_ext, value_int, _ = new.get_action(np.float32(states) / 255.0)
        kept["ext"].append(value_ext)
        kept["int"].append(value_int)
        policies = kept.pop("policy")
        state, reward, done, following, action, inner, ext, inn = (np.stack(kept[name]) for name in kept)
        inner = inner.transpose()
        per_env = np.array([discounted.update(reward_per_step) for reward_per_step in inner.T])
        reward_rms.update_from_moments(np.mean(per_env), np.std(per_env) ** 2, len(per_env))
        inner = inner / np.sqrt(reward_rms.var)
        ext_target, ext_adv = make_train_data(reward.transpose(), done.transpose(), ext.transpose(), 0.999, STEPS, WORKERS)
        int_target, int_adv = make_train_data(inner, np.zeros_like(inner), inn.transpose(), 0.99, STEPS, WORKERS)
        following = following.transpose([1, 0, 2, 3, 4]).reshape([-1, 1, 84, 84])
        obs_rms.update(following)
        new.train_model(
            np.float32(state.transpose([1, 0, 2, 3, 4]).reshape([-1, 4, 84, 84])) / 255.0,
            ext_target,
            int_target,
            action.transpose().reshape([-1]),
            int_adv + ext_adv * 2.0,
            ((following - obs_rms.mean) / np.sqrt(obs_rms.var)).clip(-5, 5),
            policies,
        )
        rewards.append(inner)
        values.append(ext)
        norms.append(global_grad_norm_(list(new.model.parameters()) + list(new.rnd.predictor.parameters())))
        probabilities.append(softmax(np.vstack([policy.cpu().numpy() for policy in policies])).max(1).mean())
    return {
        "rewards": np.array(rewards),
        "values": np.array(values),
        "norms": np.array(norms),
        "probabilities": np.array(probabilities),
        "actor": new.model.actor[2].weight,
        "feature": new.model.feature[2].weight,
        "predictor": new.rnd.predictor[7].weight,
        "target": new.rnd.target[7].weight,
    }
