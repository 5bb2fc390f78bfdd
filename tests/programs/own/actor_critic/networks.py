import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


def orthogonal_init(layer, gain=1.0):
    nn.init.orthogonal_(layer.weight, gain=gain)
    nn.init.constant_(layer.bias, 0)
    return layer


class ActorCritic(nn.Module):
    def __init__(self, state_dim, action_dim, hidden=32):
        super(ActorCritic, self).__init__()
        self.fc1 = orthogonal_init(nn.Linear(state_dim, hidden))
        self.fc2 = orthogonal_init(nn.Linear(hidden, hidden))
        self.actor = orthogonal_init(nn.Linear(hidden, action_dim), gain=0.01)
        self.critic = orthogonal_init(nn.Linear(hidden, 1))

    def forward(self, state):
        x = torch.tanh(self.fc1(state))
        x = torch.tanh(self.fc2(x))
        return F.softmax(self.actor(x), dim=-1), self.critic(x)

    def act(self, state):
        state = torch.from_numpy(state).float().unsqueeze(0)
        with torch.no_grad():
            probs, value = self.forward(state)
        dist = Categorical(probs)
        action = dist.sample()
        return action.item(), dist.log_prob(action).item(), value.item()

    def evaluate(self, states, actions):
        probs, values = self.forward(states)
        dist = Categorical(probs)
        return dist.log_prob(actions), values.squeeze(-1), dist.entropy()
