from types import SimpleNamespace

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from cleanrl import c51, ppo_continuous_action

OBSERVED, ACTIONS, ENVIRONMENTS, STEPS = 5, 2, 2, 8


def build():
    walker = SimpleNamespace(
        single_observation_space=SimpleNamespace(shape=(OBSERVED,)),
        single_action_space=SimpleNamespace(shape=(ACTIONS,)),
    )
    pole = SimpleNamespace(
        single_observation_space=SimpleNamespace(shape=(4,)), single_action_space=SimpleNamespace(n=2)
    )
    q_network = c51.QNetwork(pole, n_atoms=21, v_min=-10, v_max=10)
    target_network = c51.QNetwork(pole, n_atoms=21, v_min=-10, v_max=10)
    return ppo_continuous_action.Agent(walker), q_network, target_network


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(agent, q_network, target_network):
    with torch.no_grad():
        _, logprob, entropy, value = agent.get_action_and_value(
            numbers(0, 3, OBSERVED), numbers(1, 3, ACTIONS)
        )
        action, pmfs = q_network.get_action(numbers(2, 6, 4))
    return {"logprob": logprob, "entropy": entropy, "value": value, "action": action, "pmfs": pmfs}


def ppo(agent):
    """The loop of ppo_continuous_action.py, with the environments' answers and the actions from numbers made up."""
    args = ppo_continuous_action.Args(
        num_envs=ENVIRONMENTS, num_steps=STEPS, num_minibatches=2, update_epochs=2, ent_coef=0.01
    )
    args.batch_size = int(args.num_envs * args.num_steps)
    args.minibatch_size = int(args.batch_size // args.num_minibatches)
    args.num_iterations = 2
    optimizer = optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    losses = []
    for iteration in range(1, args.num_iterations + 1):
        if args.anneal_lr:
            frac = 1.0 - (iteration - 1.0) / args.num_iterations
            optimizer.param_groups[0]["lr"] = frac * args.learning_rate
        obs = numbers(10 * iteration, STEPS, ENVIRONMENTS, OBSERVED)
        actions = numbers(10 * iteration + 1, STEPS, ENVIRONMENTS, ACTIONS)
        rewards = numbers(10 * iteration + 2, STEPS, ENVIRONMENTS)
        dones = (numbers(10 * iteration + 3, STEPS, ENVIRONMENTS) > 1).float()
        logprobs = torch.zeros((STEPS, ENVIRONMENTS))
        values = torch.zeros((STEPS, ENVIRONMENTS))
        next_obs, next_done = numbers(10 * iteration + 4, ENVIRONMENTS, OBSERVED), torch.zeros(ENVIRONMENTS)
        with torch.no_grad():
            for step in range(STEPS):
                _, logprob, _, value = agent.get_action_and_value(obs[step], actions[step])
                values[step] = value.flatten()
                logprobs[step] = logprob
            next_value = agent.get_value(next_obs).reshape(1, -1)
            advantages = torch.zeros_like(rewards)
            lastgaelam = 0
            for t in reversed(range(args.num_steps)):
                if t == args.num_steps - 1:
                    nextnonterminal = 1.0 - next_done
                    nextvalues = next_value
                else:
                    nextnonterminal = 1.0 - dones[t + 1]
                    nextvalues = values[t + 1]
                delta = rewards[t] + args.gamma * nextvalues * nextnonterminal - values[t]
                advantages[t] = lastgaelam = (
                    delta + args.gamma * args.gae_lambda * nextnonterminal * lastgaelam
                )
            returns = advantages + values

        b_obs = obs.reshape((-1, OBSERVED))
        b_logprobs = logprobs.reshape(-1)
        b_actions = actions.reshape((-1, ACTIONS))
        b_advantages = advantages.reshape(-1)
        b_returns = returns.reshape(-1)
        b_values = values.reshape(-1)
        b_inds = np.arange(args.batch_size)
        for _ in range(args.update_epochs):
            np.random.shuffle(b_inds)
            for start in range(0, args.batch_size, args.minibatch_size):
                mb_inds = b_inds[start : start + args.minibatch_size]
                _, newlogprob, entropy, newvalue = agent.get_action_and_value(
                    b_obs[mb_inds], b_actions[mb_inds]
                )
                ratio = (newlogprob - b_logprobs[mb_inds]).exp()

                mb_advantages = b_advantages[mb_inds]
                mb_advantages = (mb_advantages - mb_advantages.mean()) / (mb_advantages.std() + 1e-8)
                pg_loss1 = -mb_advantages * ratio
                pg_loss2 = -mb_advantages * torch.clamp(ratio, 1 - args.clip_coef, 1 + args.clip_coef)
                pg_loss = torch.max(pg_loss1, pg_loss2).mean()

                newvalue = newvalue.view(-1)
                v_loss_unclipped = (newvalue - b_returns[mb_inds]) ** 2
                v_clipped = b_values[mb_inds] + torch.clamp(
                    newvalue - b_values[mb_inds], -args.clip_coef, args.clip_coef
                )
                v_loss_clipped = (v_clipped - b_returns[mb_inds]) ** 2
                v_loss = 0.5 * torch.max(v_loss_unclipped, v_loss_clipped).mean()

                loss = pg_loss - args.ent_coef * entropy.mean() + v_loss * args.vf_coef
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()
                losses.append(loss.item())
    return losses


def c51_steps(q_network, target_network):
    """The training step of c51.py on batches as its replay buffer gives them."""
    args = c51.Args(n_atoms=21, v_min=-10, v_max=10, batch_size=6)
    optimizer = optim.Adam(q_network.parameters(), lr=args.learning_rate, eps=0.01 / args.batch_size)
    target_network.load_state_dict(q_network.state_dict())
    losses = []
    for step in range(3):
        random = np.random.RandomState(200 + step)
        observations = torch.from_numpy(random.randn(6, 4).astype("float32"))
        next_observations = torch.from_numpy(random.randn(6, 4).astype("float32"))
        actions = torch.from_numpy(random.randint(0, 2, (6, 1)).astype("int64"))
        rewards = torch.from_numpy(random.uniform(-3, 3, (6, 1)).astype("float32"))
        dones = torch.from_numpy((random.uniform(size=(6, 1)) > 0.7).astype("float32"))
        with torch.no_grad():
            _, next_pmfs = target_network.get_action(next_observations)
            next_atoms = rewards + args.gamma * target_network.atoms * (1 - dones)
            delta_z = target_network.atoms[1] - target_network.atoms[0]
            tz = next_atoms.clamp(args.v_min, args.v_max)
            b = (tz - args.v_min) / delta_z
            lower = b.floor().clamp(0, args.n_atoms - 1)
            upper = b.ceil().clamp(0, args.n_atoms - 1)
            d_m_l = (upper + (lower == upper).float() - b) * next_pmfs
            d_m_u = (b - lower) * next_pmfs
            target_pmfs = torch.zeros_like(next_pmfs)
            for i in range(target_pmfs.size(0)):
                target_pmfs[i].index_add_(0, lower[i].long(), d_m_l[i])
                target_pmfs[i].index_add_(0, upper[i].long(), d_m_u[i])
        _, old_pmfs = q_network.get_action(observations, actions.flatten())
        loss = (-(target_pmfs * old_pmfs.clamp(min=1e-5, max=1 - 1e-5).log()).sum(-1)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    target_network.load_state_dict(q_network.state_dict())
    return losses


def train(agent, q_network, target_network):
    np.random.seed(1)
    return {
        "ppo_losses": ppo(agent),
        "c51_losses": c51_steps(q_network, target_network),
        "actor": agent.actor_mean[0].weight,
        "logstd": agent.actor_logstd,
        "target": target_network.network[4].weight,
    }


def init():
    agent, _, _ = build()
    return {"critic": agent.critic[0].weight, "actor": agent.actor_mean[4].weight}
