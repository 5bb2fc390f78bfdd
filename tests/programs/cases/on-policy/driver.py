import numpy as np
import torch

from onpolicy.algorithms.mat.algorithm.transformer_policy import TransformerPolicy
from onpolicy.algorithms.mat.mat_trainer import MATTrainer
from onpolicy.algorithms.r_mappo.algorithm.rMAPPOPolicy import R_MAPPOPolicy
from onpolicy.algorithms.r_mappo.r_mappo import R_MAPPO
from onpolicy.config import get_config
from onpolicy.utils.shared_buffer import SharedReplayBuffer

AGENTS, THREADS, LENGTH, OBS, ACTIONS = 3, 2, 6, 5, 4


class Box:
    def __init__(self, *shape):
        self.shape = shape
        self.high = np.ones(shape, dtype=np.float32)


class Discrete:
    def __init__(self, n):
        self.n = n


def arguments(algorithm, *options):
    options = [
        "--algorithm_name", algorithm, "--episode_length", str(LENGTH), "--n_rollout_threads", str(THREADS),
        "--hidden_size", "12", "--ppo_epoch", "2", "--num_mini_batch", "1", "--data_chunk_length", "3",
        "--n_block", "1", "--n_embd", "12", "--n_head", "2", "--lr", "0.002", *options,
    ]  # fmt: skip
    return get_config().parse_known_args(options)[0]


class Run:
    """What a runner of the repository sets up and does, on made-up observations."""

    def __init__(self, algorithm, space, *options, is_masked=False):
        self.args = args = arguments(algorithm, *options)
        args.use_recurrent_policy = algorithm == "rmappo"
        args.use_naive_recurrent_policy = False
        self.is_masked, self.space = is_masked, space
        spaces = Box(OBS), Box(OBS * 2), space
        if algorithm == "mat":
            self.policy = TransformerPolicy(args, *spaces, AGENTS)
            self.trainer = MATTrainer(args, self.policy, AGENTS)
        else:
            self.policy = R_MAPPOPolicy(args, *spaces)
            self.trainer = R_MAPPO(args, self.policy)
        self.buffer = SharedReplayBuffer(args, AGENTS, *spaces)
        self.rng = np.random.RandomState(0)

    def nets(self):
        if isinstance(self.policy, TransformerPolicy):
            return [self.policy.transformer]
        return [self.policy.actor, self.policy.critic]

    def take(self, nets):
        for own, net in zip(self.nets(), nets):
            own.load_state_dict(net.state_dict())
        return self

    def seen(self):
        obs = self.rng.randn(THREADS, AGENTS, OBS).astype(np.float32)
        share = self.rng.randn(THREADS, AGENTS, OBS * 2).astype(np.float32)
        available = None
        if self.is_masked:
            available = (self.rng.rand(THREADS, AGENTS, ACTIONS) < 0.6).astype(np.float32)
            available[..., 1] = 1
        return share, obs, available

    @torch.no_grad()
    def collect(self):
        self.trainer.prep_rollout()
        buffer = self.buffer
        buffer.share_obs[0], buffer.obs[0], available = self.seen()
        if available is not None:
            buffer.available_actions[0] = available.copy()
        for step in range(LENGTH):
            kept = (buffer.share_obs, buffer.obs, buffer.rnn_states, buffer.rnn_states_critic, buffer.masks)
            flat = [np.concatenate(one[step]) for one in kept]
            choices = None if available is None else np.concatenate(buffer.available_actions[step])
            results = self.policy.get_actions(*flat, choices, deterministic=True)
            values, actions, log_probs, states, critic_states = (
                np.array(np.split(one.detach().cpu().numpy(), THREADS)) for one in results
            )
            if isinstance(self.space, Box):
                actions = actions + 0.3 * self.rng.randn(*actions.shape).astype(np.float32)
            share, obs, available = self.seen()
            rewards = 1 - np.abs(actions.astype(np.float32)).mean(-1, keepdims=True) + obs[..., :1]
            over = self.rng.rand(THREADS) < 0.3
            masks = np.ones((THREADS, AGENTS, 1), dtype=np.float32)
            masks[over] = 0
            states[over] = 0
            critic_states[over] = 0
            alive = (self.rng.rand(THREADS, AGENTS, 1) < 0.8).astype(np.float32)
            buffer.insert(
                share, obs, states, critic_states, actions, log_probs, values, rewards, masks,
                active_masks=alive, available_actions=available,
            )  # fmt: skip
        args = np.concatenate(buffer.share_obs[-1]), np.concatenate(buffer.rnn_states_critic[-1])
        masks = np.concatenate(buffer.masks[-1])
        if isinstance(self.policy, TransformerPolicy):
            following = self.policy.get_values(args[0], np.concatenate(buffer.obs[-1]), args[1], masks)
        else:
            following = self.policy.get_values(*args, masks)
        following = np.array(np.split(following.detach().cpu().numpy(), THREADS))
        buffer.compute_returns(following, self.trainer.value_normalizer)
        return buffer

    def train(self):
        self.trainer.prep_training()
        info = self.trainer.train(self.buffer)
        self.buffer.after_update()
        return info


RUNS = {
    "rmappo": lambda: Run("rmappo", Discrete(ACTIONS), is_masked=True),
    "mappo": lambda: Run("mappo", Box(2), "--use_max_grad_norm"),
    "plain": lambda: Run("rmappo", Discrete(ACTIONS), "--use_valuenorm", "--use_huber_loss", "--use_clipped_value_loss"),
    "mat": lambda: Run("mat", Discrete(ACTIONS), is_masked=True),
    "mat_continuous": lambda: Run("mat", Box(2)),
}


def build():
    return tuple(net for make in RUNS.values() for net in make().nets())


def runs(nets):
    nets, made = list(nets), {}
    for name, make in RUNS.items():
        run = make()
        count = len(run.nets())
        made[name] = run.take(nets[:count])
        nets = nets[count:]
    return made


def forward(*nets):
    outputs = {}
    for name, run in runs(nets).items():
        outputs[name + "_returns"] = lambda run=run: run.collect().returns
    return outputs


def train(*nets):
    results = {}
    for name, run in runs(nets).items():
        for episode in range(2):
            run.policy.lr_decay(episode, 4)
            run.collect()
            for key, value in run.train().items():
                results[f"{name}_{episode}_{key}"] = float(value)
        weights = [value for net in run.nets() for value in net.parameters()]
        results[name + "_first"], results[name + "_last"] = weights[2], weights[-1]
        if run.trainer.value_normalizer is not None:
            results[name + "_mean"] = run.trainer.value_normalizer.running_mean
    return results
