import numpy as np
import torch
import torch.nn as nn

from networks import ActorCritic


class PPOAgent:
    def __init__(self, state_dim, action_dim, lr=3e-3, gamma=0.99, lam=0.95, clip=0.2, epochs=2, max_grad_norm=0.5):
        self.gamma = gamma
        self.lam = lam
        self.clip = clip
        self.epochs = epochs
        self.max_grad_norm = max_grad_norm
        self.net = ActorCritic(state_dim, action_dim)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr, eps=1e-5)
        self.mse = nn.MSELoss()

    def advantages(self, rewards, values, dones):
        returns, gae = np.zeros(len(rewards), dtype=np.float32), 0.0
        values = np.append(values, 0.0)
        for t in reversed(range(len(rewards))):
            delta = rewards[t] + self.gamma * values[t + 1] * (1 - dones[t]) - values[t]
            gae = delta + self.gamma * self.lam * (1 - dones[t]) * gae
            returns[t] = gae + values[t]
        return returns, returns - values[:-1].astype(np.float32)

    def update(self, rollout):
        states = torch.tensor(rollout["states"], dtype=torch.float32)
        actions = torch.tensor(rollout["actions"], dtype=torch.int64)
        old_log_probs = torch.tensor(rollout["log_probs"], dtype=torch.float32)
        returns, advantages = self.advantages(rollout["rewards"], rollout["values"], rollout["dones"])
        returns = torch.from_numpy(returns)
        advantages = torch.from_numpy(advantages)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)

        losses = []
        for _ in range(self.epochs):
            log_probs, values, entropy = self.net.evaluate(states, actions)
            ratio = torch.exp(log_probs - old_log_probs)
            surr1 = ratio * advantages
            surr2 = torch.clamp(ratio, 1 - self.clip, 1 + self.clip) * advantages
            loss = -torch.min(surr1, surr2).mean() + 0.5 * self.mse(values, returns) - 0.01 * entropy.mean()

            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_grad_norm)
            self.optimizer.step()
            losses.append(loss.item())
        return losses

    def save(self, path):
        torch.save(self.net.state_dict(), path)

    def load(self, path):
        self.net.load_state_dict(torch.load(path))
