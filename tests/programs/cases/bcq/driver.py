import os
import sys
from types import SimpleNamespace

import numpy as np
import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "continuous_BCQ"))

import BCQ  # noqa: E402
import DDPG  # noqa: E402
import main  # noqa: E402
import utils  # noqa: E402

from discrete_BCQ import DQN as discrete_DQN  # noqa: E402
from discrete_BCQ import discrete_BCQ as discrete  # noqa: E402
from discrete_BCQ import utils as discrete_utils  # noqa: E402

STATE, ACTION, FRAMES, KINDS = 4, 2, 2, 3
ATARI = {"state_history": FRAMES, "frame_size": 84}


class Line:
    """Rewards staying near the middle of a line."""

    _max_episode_steps = 7

    def __init__(self):
        self.random = np.random.RandomState(4)
        self.action_space = SimpleNamespace(sample=lambda: self.random.uniform(-1, 1, ACTION))

    def seed(self, seed):
        self.random.seed(seed)

    def reset(self):
        self.count = 0
        self.state = self.random.randn(STATE)
        return self.state

    def step(self, action):
        self.count += 1
        self.state = self.state * 0.9 + np.tile(action, 2) * 0.3
        return self.state, -float(abs(self.state).sum()), self.count == self._max_episode_steps, {}


main.gym.make = lambda name: Line()


def options(**more):
    made = dict(env="line", seed=0, buffer_name="made", max_timesteps=12, batch_size=8, eval_freq=6)
    made.update(discount=0.99, tau=0.1, lmbda=0.75, phi=0.05, gaussian_std=0.3, rand_action_p=0.3)
    made.update(train_behavioral=False, generate_buffer=False, start_timesteps=5, **more)
    return SimpleNamespace(**made)


def build():
    device = torch.device("cpu")
    build.bcq = BCQ.BCQ(STATE, ACTION, 1.0, device, tau=0.1)
    build.ddpg = DDPG.DDPG(STATE, ACTION, 1.0, device, tau=0.1)
    build.toy = discrete.discrete_BCQ(
        False, KINDS, STATE, device, optimizer_parameters={"lr": 3e-4}, polyak_target_update=True, tau=0.1
    )
    build.atari = discrete.discrete_BCQ(
        True,
        KINDS,
        (FRAMES, 84, 84),
        device,
        optimizer_parameters={"lr": 6e-5, "eps": 1.5e-4},
        target_update_frequency=2,
    )
    build.dqn = discrete_DQN.DQN(
        False, KINDS, STATE, device, 0.99, "Adam", {"lr": 3e-4}, False, 2, 0.1, 0, 0, 1, 0
    )
    return (
        build.bcq.actor,
        build.bcq.critic,
        build.bcq.vae,
        build.ddpg.actor,
        build.ddpg.critic,
        build.toy.Q,
        build.atari.Q,
        build.dqn.Q,
    )


def same_targets():
    for policy in (build.bcq, build.ddpg):
        policy.actor_target.load_state_dict(policy.actor.state_dict())
        policy.critic_target.load_state_dict(policy.critic.state_dict())
    for policy in (build.toy, build.atari, build.dqn):
        policy.Q_target.load_state_dict(policy.Q.state_dict())


def filled(buffer, count=40):
    rng = np.random.RandomState(6)
    for step in range(count):
        buffer.add(
            rng.randn(STATE), rng.uniform(-1, 1, ACTION), rng.randn(STATE), rng.randn(), float(step % 5 == 4)
        )
    return buffer


def filled_kinds(buffer, is_atari, count=30):
    rng = np.random.RandomState(7)
    for step in range(count):
        state = rng.randint(0, 255, (FRAMES, 84, 84)) if is_atari else rng.randn(STATE)
        following = state if is_atari else rng.randn(STATE)
        buffer.add(
            state,
            rng.randint(KINDS),
            following,
            rng.randn(),
            float(step % 6 == 5),
            step % 6 == 5,
            step % 6 == 0,
        )
    return buffer


def forward(actor, critic, vae, ddpg_actor, ddpg_critic, toy, atari, dqn):
    rng = np.random.RandomState(2)
    state = torch.FloatTensor(rng.randn(5, STATE))
    action = torch.FloatTensor(rng.uniform(-1, 1, (5, ACTION)))
    frames = torch.ByteTensor(rng.randint(0, 255, (2, FRAMES, 84, 84)).astype(np.uint8)).float()
    one = rng.randn(STATE)
    same_targets()

    def drawn(call):
        np.random.seed(5)
        return call()

    return {
        "perturbed": actor(state, action),
        "q": critic(state, action)[1],
        "q1": critic.q1(state, action),
        "vae": lambda: drawn(lambda: vae(state, action)),
        "decoded": lambda: drawn(lambda: vae.decode(state)),
        "chosen": lambda: drawn(lambda: build.bcq.select_action(one)),
        "ddpg": build.ddpg.select_action(one),
        "ddpg_q": ddpg_critic(state, ddpg_actor(state)),
        "toy": toy(state),
        "atari": atari(frames),
        "toy_action": lambda: torch.tensor(
            [build.toy.select_action(row, eval=True) for row in rng.randn(6, STATE)]
        ),
        "dqn_action": lambda: torch.tensor(
            [build.dqn.select_action(row, eval=True) for row in rng.randn(6, STATE)]
        ),
    }


def train_bcq():
    buffer = filled(utils.ReplayBuffer(STATE, ACTION, "cpu", max_size=60))
    os.makedirs("buffers", exist_ok=True)
    buffer.save("buffers/again")
    again = utils.ReplayBuffer(STATE, ACTION, "cpu", max_size=60)
    again.load("buffers/again")
    build.bcq.train(again, iterations=3, batch_size=8)
    bcq = build.bcq
    return [
        bcq.actor.l1.weight,
        bcq.actor_target.l3.weight,
        bcq.critic.l5.weight,
        bcq.critic_target.l6.bias,
        bcq.vae.d1.weight,
    ]


def train_ddpg():
    buffer = filled(utils.ReplayBuffer(STATE, ACTION, "cpu", max_size=60))
    for _ in range(3):
        build.ddpg.train(buffer, 8)
    os.makedirs("models", exist_ok=True)
    build.ddpg.save("models/kept")
    build.ddpg.load("models/kept")
    build.ddpg.train(buffer, 8)
    return [build.ddpg.actor.l2.weight, build.ddpg.critic.l1.weight, build.ddpg.actor_target.l3.bias]


def train_kinds(policy, is_atari):
    shape = (FRAMES, 84, 84) if is_atari else STATE
    buffer = filled_kinds(discrete_utils.ReplayBuffer(shape, is_atari, ATARI, 6, 40, "cpu"), is_atari)
    for _ in range(4):
        policy.train(buffer)
    return [
        parameter
        for net in (policy.Q, policy.Q_target)
        for parameter in net.parameters()
        if parameter.numel() < 2000
    ]


def train(*nets):
    same_targets()
    np.random.seed(3)
    result = {
        "bcq": train_bcq(),
        "ddpg": train_ddpg(),
        "toy": train_kinds(build.toy, False),
        "atari": train_kinds(build.atari, True),
        "dqn": train_kinds(build.dqn, False),
    }
    args = options()
    args.train_behavioral = True
    for folder in ("results", "models", "buffers"):
        os.makedirs(folder, exist_ok=True)
    main.max_action = 1.0
    main.interact_with_environment(Line(), STATE, ACTION, 1.0, "cpu", args)
    result["evaluations"] = torch.tensor(np.load("results/behavioral_line_0.npy").shape)
    args.train_behavioral, args.generate_buffer, args.max_timesteps = False, True, 20
    main.interact_with_environment(Line(), STATE, ACTION, 1.0, "cpu", args)
    result["rewards"] = torch.tensor(np.load("buffers/made_line_0_reward.npy").shape)
    args.generate_buffer, args.eval_freq, args.max_timesteps = False, 2, 4
    main.train_BCQ(STATE, ACTION, 1.0, "cpu", args)
    return result
