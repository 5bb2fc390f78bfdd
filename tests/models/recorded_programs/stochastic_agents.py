"""SAC, PPO and REINFORCE: noise that is given, log-probabilities that are kept from earlier passes, a temperature that
is learned, several epochs over one batch, and a loss that is summed up in a list."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 16)
        self.mean = nn.Linear(16, 2)
        self.log_std = nn.Linear(16, 2)

    def forward(self, state):
        x = F.relu(self.hidden(state))
        return self.mean(x), torch.clamp(self.log_std(x), -4, 1)

    def sample(self, state, noise):
        mean, log_std = self(state)
        raw = mean + log_std.exp() * noise
        action = torch.tanh(raw)
        log_prob = -0.5 * noise.pow(2) - log_std - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_prob.sum(1, keepdim=True)


class Twin(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
        self.two = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, state, action):
        x = torch.cat([state, action], 1)
        return self.one(x), self.two(x)


class SAC:
    def __init__(self, policy, critic):
        self.policy, self.critic = policy, critic
        self.log_alpha = nn.Parameter(torch.zeros(1))
        self.policy_optim = torch.optim.Adam(policy.parameters(), lr=0.01)
        self.critic_optim = torch.optim.Adam(critic.parameters(), lr=0.01)
        self.alpha_optim = torch.optim.Adam([self.log_alpha], lr=0.05)

    def update_parameters(self, state, action, reward, noise):
        alpha = self.log_alpha.exp().detach()
        one, two = self.critic(state, action)
        q_loss = F.mse_loss(one, reward) + F.mse_loss(two, reward)
        self.critic_optim.zero_grad()
        q_loss.backward()
        self.critic_optim.step()

        pi, log_pi = self.policy.sample(state, noise)
        one, two = self.critic(state, pi)
        q = torch.min(one, two)
        policy_loss = ((alpha * log_pi) - q).mean()
        self.policy_optim.zero_grad()
        policy_loss.backward()
        self.policy_optim.step()

        alpha_loss = -(self.log_alpha * (log_pi + 1.0).detach()).mean()
        self.alpha_optim.zero_grad()
        alpha_loss.backward()
        self.alpha_optim.step()
        return q_loss.item(), policy_loss.item(), alpha_loss.item()


class Discrete(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 16)
        self.actor = nn.Linear(16, 3)
        self.critic = nn.Linear(16, 1)

    def forward(self, x):
        x = torch.tanh(self.body(x))
        return F.log_softmax(self.actor(x), dim=-1), self.critic(x)

    def evaluate(self, state, action):
        logits, value = self(state)
        chosen = logits.gather(1, action.unsqueeze(1)).squeeze(1)
        entropy = -(logits.exp() * logits).sum(-1)
        return chosen, value.squeeze(-1), entropy


class PPO:
    def __init__(self, net, epochs=3):
        self.net, self.epochs = net, epochs
        self.optimizer = torch.optim.Adam(net.parameters(), lr=3e-3, eps=1e-5)

    def losses(self, state, action, old, returns):
        chosen, value, entropy = self.net.evaluate(state, action)
        ratio = torch.exp(chosen - old)
        advantage = returns - value.detach()
        clipped = torch.clamp(ratio, 0.8, 1.2) * advantage
        return -torch.min(ratio * advantage, clipped) + 0.5 * (value - returns).pow(2) - 0.01 * entropy

    def optimize(self, loss):
        self.optimizer.zero_grad()
        loss.mean().backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5, error_if_nonfinite=False)
        self.optimizer.step()

    def update(self, state, action, returns):
        with torch.no_grad():
            old, _, _ = self.net.evaluate(state, action)
        seen = []
        for _ in range(self.epochs):
            loss = self.losses(state, action, old, returns)
            self.optimize(loss)
            seen.append(loss.mean().item())
        return seen


class Reinforce:
    def __init__(self, policy):
        self.policy = policy
        self.optimizer = torch.optim.SGD(policy.parameters(), lr=0.05, momentum=0.9)
        self.saved_log_probs, self.rewards = [], []

    def act(self, state, action, reward):
        log_probs, _ = self.policy(state.unsqueeze(0))
        self.saved_log_probs.append(log_probs[0, action])
        self.rewards.append(reward)

    def finish_episode(self):
        total, returns = 0.0, []
        for reward in self.rewards[::-1]:
            total = reward + 0.9 * total
            returns.insert(0, total)
        losses = []
        for log_prob, value in zip(self.saved_log_probs, returns):
            losses.append(-log_prob * value)
        loss = torch.stack(losses).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.saved_log_probs, self.rewards = [], []
        return loss.item()


def networks():
    return Policy(), Twin(), Discrete(), Discrete()


def run(policy, twin, discrete, other, arrays):
    losses = []
    sac, ppo, reinforce = SAC(policy, twin), PPO(discrete), Reinforce(other)
    for i in range(5):
        state = torch.from_numpy(arrays["states"][i])
        action = torch.from_numpy(arrays["actions"][i])
        reward = torch.from_numpy(arrays["rewards"][i])
        noise = torch.from_numpy(arrays["following"][i][:, :2])
        losses.extend(sac.update_parameters(state, action, reward, noise))
        choice = torch.from_numpy(arrays["choices"][i])
        losses.extend(ppo.update(state, choice, reward[:, 0]))
        for k in range(4):
            reinforce.act(state[k], int(arrays["choices"][i][k]), float(arrays["rewards"][i][k, 0]))
        losses.append(reinforce.finish_episode())
    return losses
