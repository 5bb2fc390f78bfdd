"""Proximal policy optimization that balances a pole on a cart; the figure is how long it stays up."""

import argparse
import json
import time

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Poles:
    """Several carts with a pole each, after Barto, Sutton and Anderson; one that falls begins anew."""

    def __init__(self, count, rng):
        self.rng = rng
        self.state = rng.uniform(-0.05, 0.05, (count, 4))
        self.age = np.zeros(count, int)
        self.ages = []

    def step(self, actions):
        x, speed, angle, turning = self.state.T
        force = np.where(actions == 1, 10.0, -10.0)
        part = (force + 0.05 * turning**2 * np.sin(angle)) / 1.1
        turn = (9.8 * np.sin(angle) - np.cos(angle) * part) / (0.5 * (4 / 3 - 0.1 * np.cos(angle) ** 2 / 1.1))
        push = part - 0.05 * turn * np.cos(angle) / 1.1
        self.state = np.stack(
            [x + 0.02 * speed, speed + 0.02 * push, angle + 0.02 * turning, turning + 0.02 * turn], 1
        )
        self.age += 1
        fallen = (np.abs(self.state[:, 0]) > 2.4) | (np.abs(self.state[:, 2]) > 0.2095)
        done = fallen | (self.age >= 200)
        self.ages += self.age[done].tolist()
        self.age[done] = 0
        self.state[done] = self.rng.uniform(-0.05, 0.05, (int(done.sum()), 4))
        return self.state.astype(np.float32), np.ones(len(done), np.float32), done.astype(np.float32)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(
            nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1)
        )
        self.actor = nn.Sequential(
            nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 2)
        )
        for layer in (self.actor[-1],):
            nn.init.orthogonal_(layer.weight, 0.01)
            nn.init.constant_(layer.bias, 0.0)

    def get_value(self, x):
        return self.critic(x)

    def get_action_and_value(self, x, action=None):
        logits = self.actor(x)
        probs = Categorical(logits=logits)
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(x)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--updates", type=int, default=30)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = np.random.RandomState(args.seed)
    length, count = 64, 8
    poles = Poles(count, rng)
    agent = Agent()
    optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-3, eps=1e-5)
    state = torch.from_numpy(poles.state.astype(np.float32))
    done = torch.zeros(count)
    seconds = []
    for update in range(args.updates):
        states = torch.zeros(length, count, 4)
        actions = torch.zeros(length, count)
        logprobs = torch.zeros(length, count)
        rewards = torch.zeros(length, count)
        dones = torch.zeros(length, count)
        values = torch.zeros(length, count)
        poles.ages = []
        for step in range(length):
            states[step], dones[step] = state, done
            with torch.no_grad():
                action, logprob, _, value = agent.get_action_and_value(state)
            values[step], actions[step], logprobs[step] = value.flatten(), action, logprob
            next_state, reward, fallen = poles.step(action.cpu().numpy())
            rewards[step] = torch.tensor(reward)
            state, done = torch.from_numpy(next_state), torch.from_numpy(fallen)
        with torch.no_grad():
            next_value = agent.get_value(state).reshape(1, -1)
            advantages = torch.zeros_like(rewards)
            last = 0
            for t in reversed(range(length)):
                after = 1.0 - (done if t == length - 1 else dones[t + 1])
                following = next_value if t == length - 1 else values[t + 1]
                delta = rewards[t] + 0.98 * following * after - values[t]
                advantages[t] = last = delta + 0.98 * 0.95 * after * last
            returns = advantages + values
        b_states, b_actions = states.reshape(-1, 4), actions.reshape(-1)
        b_logprobs, b_advantages, b_returns = (
            logprobs.reshape(-1),
            advantages.reshape(-1),
            returns.reshape(-1),
        )
        indices = np.arange(length * count)
        for _ in range(4):
            rng.shuffle(indices)
            for first in range(0, length * count, 128):
                part = torch.from_numpy(indices[first : first + 128])
                start = time.perf_counter()
                _, newlogprob, entropy, newvalue = agent.get_action_and_value(
                    b_states[part], b_actions.long()[part]
                )
                ratio = (newlogprob - b_logprobs[part]).exp()
                mb_advantages = b_advantages[part]
                mb_advantages = (mb_advantages - mb_advantages.mean()) / (mb_advantages.std() + 1e-8)
                pg_loss1 = -mb_advantages * ratio
                pg_loss2 = -mb_advantages * torch.clamp(ratio, 0.8, 1.2)
                pg_loss = torch.max(pg_loss1, pg_loss2).mean()
                v_loss = 0.5 * ((newvalue.view(-1) - b_returns[part]) ** 2).mean()
                loss = pg_loss - 0.01 * entropy.mean() + v_loss * 0.5
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
                seconds.append(time.perf_counter() - start)
        if poles.ages:
            print(json.dumps({"step": update + 1, "value": float(np.mean(poles.ages))}), flush=True)
    print(json.dumps({"seconds": float(np.median(seconds))}))


if __name__ == "__main__":
    main()
