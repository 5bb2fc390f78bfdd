import argparse

import numpy as np
import torch

from common.arguments import get_coma_args, get_mixer_args
from policy.coma import COMA
from policy.qmix import QMIX
from policy.qtran_base import QtranBase
from policy.vdn import VDN

STATE, OBS, AGENTS, ACTIONS, STEPS, EPISODES = 6, 4, 3, 5, 4, 2
policies = {}


def arguments(alg, fill):
    args = argparse.Namespace(
        alg=alg,
        map="3m",
        n_actions=ACTIONS,
        n_agents=AGENTS,
        state_shape=STATE,
        obs_shape=OBS,
        episode_limit=STEPS,
        last_action=True,
        reuse_network=True,
        gamma=0.99,
        optimizer="RMS",
        model_dir="./model",
        load_model=False,
        cuda=False,
    )
    args = fill(args)
    args.rnn_hidden_dim = 16
    args.target_update_cycle = 2
    return args


def build():
    policies["qmix"] = QMIX(arguments("qmix", get_mixer_args))
    policies["vdn"] = VDN(arguments("vdn", get_mixer_args))
    policies["qtran"] = QtranBase(arguments("qtran_base", get_mixer_args))
    policies["coma"] = COMA(arguments("coma", get_coma_args))
    return (
        policies["qmix"].eval_rnn,
        policies["qmix"].eval_qmix_net,
        policies["vdn"].eval_rnn,
        policies["qtran"].eval_rnn,
        policies["qtran"].eval_joint_q,
        policies["qtran"].v,
        policies["coma"].eval_rnn,
        policies["coma"].eval_critic,
    )


def batch(seed):
    rng = np.random.RandomState(seed)
    u = rng.randint(0, ACTIONS, (EPISODES, STEPS, AGENTS, 1))
    avail = (rng.rand(EPISODES, STEPS, AGENTS, ACTIONS) > 0.3).astype("float64")
    np.put_along_axis(avail, u, 1.0, axis=3)
    avail_next = (rng.rand(EPISODES, STEPS, AGENTS, ACTIONS) > 0.3).astype("float64")
    avail_next[..., 0] = 1.0
    padded, terminated = np.zeros((EPISODES, STEPS, 1)), np.zeros((EPISODES, STEPS, 1))
    terminated[0, -1] = 1.0
    terminated[1, -2:] = 1.0
    padded[1, -1] = 1.0
    return {
        "o": rng.randn(EPISODES, STEPS, AGENTS, OBS),
        "o_next": rng.randn(EPISODES, STEPS, AGENTS, OBS),
        "s": rng.randn(EPISODES, STEPS, STATE),
        "s_next": rng.randn(EPISODES, STEPS, STATE),
        "u": u.astype("float64"),
        "u_onehot": np.eye(ACTIONS)[u[..., 0]],
        "r": rng.randn(EPISODES, STEPS, 1),
        "avail_u": avail,
        "avail_u_next": avail_next,
        "padded": padded,
        "terminated": terminated,
    }


def rows(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(qmix_rnn, mixer, vdn_rnn, qtran_rnn, joint, v, coma_rnn, critic):
    inputs, hidden = rows(0, 6, OBS + ACTIONS + AGENTS), rows(1, 6, 16)
    q, h = qmix_rnn(inputs, hidden)
    return {
        "q": q,
        "h": h,
        "mixed": mixer(rows(2, EPISODES, STEPS, AGENTS), rows(3, EPISODES, STEPS, STATE)),
        "coma": coma_rnn(inputs, hidden)[0],
        "critic": critic(rows(4, 3, STATE + OBS + AGENTS + ACTIONS * AGENTS * 2)),
    }


def train(*nets):
    policies["qmix"].target_rnn.load_state_dict(policies["qmix"].eval_rnn.state_dict())
    policies["qmix"].target_qmix_net.load_state_dict(policies["qmix"].eval_qmix_net.state_dict())
    policies["vdn"].target_rnn.load_state_dict(policies["vdn"].eval_rnn.state_dict())
    policies["qtran"].target_rnn.load_state_dict(policies["qtran"].eval_rnn.state_dict())
    policies["qtran"].target_joint_q.load_state_dict(policies["qtran"].eval_joint_q.state_dict())
    policies["coma"].target_critic.load_state_dict(policies["coma"].eval_critic.state_dict())
    for name, policy in policies.items():
        for step in range(4):
            policy.learn(batch(10 + step), STEPS, step, 0.3)
    return {
        "qmix_rnn": policies["qmix"].eval_rnn.rnn.weight_ih,
        "mixer": policies["qmix"].eval_qmix_net.hyper_w1.weight,
        "target_mixer": policies["qmix"].target_qmix_net.hyper_b1.weight,
        "vdn": policies["vdn"].eval_rnn.fc2.weight,
        "qtran": policies["qtran"].eval_rnn.fc1.weight,
        "coma_rnn": policies["coma"].eval_rnn.fc2.weight,
        "coma_critic": policies["coma"].eval_critic.fc3.weight,
    }
