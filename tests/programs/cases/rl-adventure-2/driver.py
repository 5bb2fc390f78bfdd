import glob
import json
import linecache
import random
import sys
import types

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim


def defined(pattern, module):
    """What the cells of a notebook define, up to the first that makes an environment, run as IPython runs them."""
    names = vars(sys.modules.setdefault(module, types.ModuleType(module)))
    with open(glob.glob(pattern)[0], encoding="utf-8") as f:
        cells = ["".join(cell["source"]) for cell in json.load(f)["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells):
        text = "\n".join(line for line in cell.splitlines() if not line.startswith("%"))
        if text.lstrip().startswith(("env", "test_rewards", "i_update", "from common", "try:", "num_inputs")):
            continue
        if text.lstrip().startswith(("max_frames", "frame_idx", "while", "test_env(")):
            continue
        name = f"<ipython-input-{module}-{number}>"
        linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
        exec(compile(text, name, "exec"), names)
    return names


acer = defined("4.acer*.ipynb", "acer")
td3 = defined("6.td3*.ipynb", "td3")
sac = defined("7.soft*.ipynb", "sac")
gail = defined("8.gail*.ipynb", "gail")
STATE, ACTION, HIDDEN = 3, 2, 16


def build():
    return (
        acer["ActorCritic"](STATE, ACTION, HIDDEN),
        td3["ValueNetwork"](STATE, ACTION, HIDDEN, 0.1),
        td3["PolicyNetwork"](STATE, ACTION, HIDDEN, 0.1),
        sac["SoftQNetwork"](STATE, ACTION, HIDDEN, 0.1),
        sac["ValueNetwork"](STATE, HIDDEN, 0.1),
        gail["ActorCritic"](STATE, ACTION, HIDDEN),
        gail["Discriminator"](STATE + ACTION, HIDDEN),
    )


def made(seed, *shape):
    return np.random.RandomState(seed).standard_normal(shape).astype("float32")


def forward(actor, value, policy, soft_q, soft_value, ppo, discriminator):
    state, action = torch.FloatTensor(made(0, 4, STATE)), torch.FloatTensor(made(1, 4, ACTION))
    dist, ppo_value = ppo(state)
    probabilities, q_value, acer_value = actor(state)
    return {
        "policy": probabilities,
        "q_value": q_value,
        "value": acer_value,
        "td3": value(state, action),
        "get_action": policy.get_action(made(2, STATE)),
        "soft_q": soft_q(state, action),
        "soft_value": soft_value(state),
        "log_prob": dist.log_prob(action),
        "entropy": dist.entropy(),
        "ppo_value": ppo_value,
        "real": discriminator(torch.cat([state, action], 1)),
    }


def train_acer(model):
    acer["model"] = model
    acer["optimizer"] = optim.Adam(model.parameters())
    memory = acer["replay_buffer"] = acer["EpisodicReplayMemory"](1000, 5)
    steps = iter(np.random.RandomState(4).randint(0, ACTION, 100))
    for episode in range(2):
        q_values, values, policies, actions, rewards, masks = [], [], [], [], [], []
        for step in range(4):
            state = torch.FloatTensor(made(10 * episode + step, STATE)).unsqueeze(0)
            policy, q_value, value = model(state)
            action = torch.LongTensor([[int(next(steps))]])
            done = step == 3
            reward = torch.FloatTensor([float(step)]).unsqueeze(1)
            mask = torch.FloatTensor(1 - np.float32([done])).unsqueeze(1)
            memory.push(state.detach(), action, reward, policy.detach(), mask, done)
            q_values.append(q_value)
            policies.append(policy)
            actions.append(action)
            rewards.append(reward)
            values.append(value)
            masks.append(mask)
        _, _, retrace = model(torch.FloatTensor(made(5, STATE)).unsqueeze(0))
        retrace = retrace.detach()
        acer["compute_acer_loss"](policies, q_values, values, actions, rewards, retrace, masks, policies)
    memory.buffer.pop()
    random.seed(1)
    np.random.seed(1)
    acer["off_policy_update"](2, replay_ratio=2)


def filled(buffer, count):
    for i in range(count):
        buffer.push(made(i, STATE), made(50 + i, ACTION), float(i % 3), made(90 + i, STATE), i % 5 == 4)
    return buffer


def train_td3(value, policy):
    for name, net in (("value_net", value), ("policy_net", policy)):
        for number in ("1", "2") if name == "value_net" else ("",):
            twin = net if number != "2" else td3["ValueNetwork"](STATE, ACTION, HIDDEN)
            twin.load_state_dict(net.state_dict())
            kind = type(net)
            target = kind(STATE, ACTION, HIDDEN)
            td3["soft_update"](twin, target, soft_tau=1.0)
            td3[name + number], td3["target_" + name + number] = twin, target
            optimizer = optim.Adam(twin.parameters(), lr=1e-3)
            td3[name.replace("net", "optimizer") + number] = optimizer
    td3["value_criterion"] = nn.MSELoss()
    td3["replay_buffer"] = filled(td3["ReplayBuffer"](20), 12)
    random.seed(2)
    for step in range(3):
        td3["td3_update"](step, 6, noise_std=0.0)
    return td3["target_value_net1"].linear1.weight


class Chosen:
    """A normal distribution whose draws are its means: what the notebook draws decides nothing."""

    def __init__(self, mean, std):
        self.normal = torch.distributions.Normal(mean, std)

    def sample(self):
        return self.normal.mean

    def log_prob(self, value):
        return self.normal.log_prob(value)


def train_sac(soft_q, value):
    sac["Normal"] = Chosen
    policy = sac["PolicyNetwork"](STATE, ACTION, HIDDEN)
    random_state = np.random.RandomState(8)
    with torch.no_grad():
        for param in policy.parameters():
            param.copy_(torch.FloatTensor(random_state.standard_normal(tuple(param.shape)) * 0.1))
    target = sac["ValueNetwork"](STATE, HIDDEN)
    for target_param, param in zip(target.parameters(), value.parameters()):
        target_param.data.copy_(param.data)
    sac.update(
        policy_net=policy,
        soft_q_net=soft_q,
        value_net=value,
        target_value_net=target,
        value_criterion=nn.MSELoss(),
        soft_q_criterion=nn.MSELoss(),
        value_optimizer=optim.Adam(value.parameters(), lr=3e-3),
        soft_q_optimizer=optim.Adam(soft_q.parameters(), lr=3e-3),
        policy_optimizer=optim.Adam(policy.parameters(), lr=3e-3),
        replay_buffer=filled(sac["ReplayBuffer"](10), 12),
    )
    random.seed(3)
    for _ in range(3):
        sac["soft_q_update"](5)
    return policy.mean_linear.weight, target.linear1.weight


def train_gail(model, discriminator):
    gail["model"], gail["discriminator"] = model, discriminator
    gail["optimizer"] = optim.Adam(model.parameters(), lr=3e-3)
    optimizer_discrim = optim.Adam(discriminator.parameters(), lr=3e-3)
    criterion = nn.BCELoss()
    np.random.seed(4)
    log_probs, values, states, actions, rewards, masks = [], [], [], [], [], []
    for step in range(4):
        state = torch.FloatTensor(made(step, 3, STATE))
        dist, value = model(state)
        action = torch.FloatTensor(made(40 + step, 3, ACTION))
        reward = gail["expert_reward"](state, action.cpu().numpy())
        log_probs.append(dist.log_prob(action))
        values.append(value)
        rewards.append(torch.FloatTensor(reward))
        masks.append(torch.FloatTensor(1 - np.array([0, 1, 0])).unsqueeze(1))
        states.append(state)
        actions.append(action)
    _, next_value = model(torch.FloatTensor(made(9, 3, STATE)))
    returns = torch.cat(gail["compute_gae"](next_value, rewards, masks, values)).detach()
    log_probs, values = torch.cat(log_probs).detach(), torch.cat(values).detach()
    states, actions = torch.cat(states), torch.cat(actions)
    gail["ppo_update"](2, 5, states, actions, log_probs, returns, returns - values)
    expert = torch.FloatTensor(made(70, 12, STATE + ACTION))
    losses = []
    for _ in range(2):
        fake, real = discriminator(torch.cat([states, actions], 1)), discriminator(expert)
        optimizer_discrim.zero_grad()
        loss = criterion(fake, torch.ones((states.shape[0], 1))) + criterion(real, torch.zeros((expert.size(0), 1)))
        loss.backward()
        optimizer_discrim.step()
        losses.append(loss.item())
    return losses


def train(actor, value, policy, soft_q, soft_value, ppo, discriminator):
    train_acer(actor)
    td3_target = train_td3(value, policy)
    sac_policy, sac_target = train_sac(soft_q, soft_value)
    losses = train_gail(ppo, discriminator)
    return {
        "losses": losses,
        "acer": actor.actor[0].weight,
        "acer_critic": actor.critic[2].weight,
        "td3": value.linear2.weight,
        "td3_policy": policy.linear3.weight,
        "td3_target": td3_target,
        "sac": soft_q.linear2.weight,
        "sac_policy": sac_policy,
        "sac_target": sac_target,
        "gail": ppo.actor[2].weight,
        "log_std": ppo.log_std,
        "discriminator": discriminator.linear2.weight,
    }
