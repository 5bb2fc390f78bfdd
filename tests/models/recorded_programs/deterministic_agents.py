"""DDPG and TD3: the loss of the actor goes through the critic, targets follow slowly, each optimizer is an attribute,
and `backward()` stands in another method than `step()`."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 16)
        self.out = nn.Linear(16, 2)

    def forward(self, state):
        return torch.tanh(self.out(F.relu(self.hidden(state))))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, state, action):
        return self.out(F.relu(self.hidden(torch.cat([state, action], dim=1))))


def update(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


class DDPG:
    def __init__(self, actor, critic, tau=0.05, gamma=0.9):
        self.actor, self.critic = actor, critic
        self.actor_target = copy.deepcopy(actor)
        self.critic_target = copy.deepcopy(critic)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=0.01)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=0.02)
        self.tau, self.gamma = tau, gamma

    def critic_loss(self, state, action, reward, following):
        with torch.no_grad():
            value = self.critic_target(following, self.actor_target(following))
            target = reward + self.gamma * value
        return F.mse_loss(self.critic(state, action), target)

    def actor_loss(self, state):
        return -self.critic(state, self.actor(state)).mean()

    def follow(self, network, target):
        for parameter, slow in zip(network.parameters(), target.parameters()):
            slow.data.copy_(self.tau * parameter.data + (1 - self.tau) * slow.data)

    def train(self, state, action, reward, following):
        critic_loss = self.critic_loss(state, action, reward, following)
        update(self.critic_optimizer, critic_loss)
        actor_loss = self.actor_loss(state)
        update(self.actor_optimizer, actor_loss)
        self.follow(self.critic, self.critic_target)
        self.follow(self.actor, self.actor_target)
        return critic_loss.item(), actor_loss.item()


class TD3(DDPG):
    def __init__(self, actor, first, second):
        super().__init__(actor, first)
        self.second = second
        self.second_target = copy.deepcopy(second)
        both = list(self.critic.parameters()) + list(self.second.parameters())
        self.critic_optimizer = torch.optim.Adam(both, lr=0.02)
        self.passes = 0

    def critic_loss(self, state, action, reward, following):
        with torch.no_grad():
            ahead = self.actor_target(following)
            one, two = self.critic_target(following, ahead), self.second_target(following, ahead)
            target = reward + self.gamma * torch.min(one, two)
        first, second = self.critic(state, action), self.second(state, action)
        return F.mse_loss(first, target) + F.mse_loss(second, target)

    def train(self, state, action, reward, following):
        self.passes += 1
        loss = self.critic_loss(state, action, reward, following)
        update(self.critic_optimizer, loss)
        if self.passes % 2 == 0:
            update(self.actor_optimizer, self.actor_loss(state))
            self.follow(self.actor, self.actor_target)
            self.follow(self.critic, self.critic_target)
            self.follow(self.second, self.second_target)
        return loss.item()


def networks():
    return Actor(), Critic(), Actor(), Critic(), Critic()


def run(actor, critic, other, first, second, arrays):
    losses = []
    ddpg, td3 = DDPG(actor, critic), TD3(other, first, second)
    for state, action, reward, following in zip(
        arrays["states"], arrays["actions"], arrays["rewards"], arrays["following"]
    ):
        batch = [torch.from_numpy(one) for one in (state, action, reward, following)]
        losses.extend(ddpg.train(*batch))
        losses.append(td3.train(*batch))
    return losses
