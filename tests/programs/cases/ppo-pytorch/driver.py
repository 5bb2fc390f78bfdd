import numpy as np
import torch

from PPO import PPO

STATE, EPISODE = 6, 8
lr_actor, lr_critic, gamma, K_epochs, eps_clip, action_std = 0.0003, 0.001, 0.99, 3, 0.2, 0.6
agents = {}


def build():
    agents["walker"] = PPO(STATE, 2, lr_actor, lr_critic, gamma, K_epochs, eps_clip, True, action_std)
    agents["cart"] = PPO(STATE, 3, lr_actor, lr_critic, gamma, K_epochs, eps_clip, False)
    return agents["walker"].policy, agents["cart"].policy


def states(seed, count):
    return np.random.RandomState(seed).randn(count, STATE).astype("float32")


def actions(seed, count, policy):
    rng = np.random.RandomState(seed)
    if policy.has_continuous_action_space:
        return torch.from_numpy(rng.randn(count, policy.action_dim).astype("float32"))
    return torch.from_numpy(rng.randint(0, 3, count))


def forward(walker_policy, cart_policy):
    outputs = {}
    for name, policy in (("walker", walker_policy), ("cart", cart_policy)):
        state = torch.from_numpy(states(0, 5))
        action_logprobs, state_values, dist_entropy = policy.evaluate(state, actions(1, 5, policy))
        outputs[f"{name}_logprobs"] = action_logprobs
        outputs[f"{name}_values"] = state_values
        outputs[f"{name}_entropy"] = dist_entropy
        outputs[f"{name}_actor"] = policy.actor(state)
    return outputs


def collect(agent, seed):
    """What select_action keeps, with actions from numbers made up instead of drawn ones."""
    rng = np.random.RandomState(seed)
    taken = actions(seed, 2 * EPISODE, agent.policy_old)
    for t, state in enumerate(states(seed, 2 * EPISODE)):
        with torch.no_grad():
            state = torch.FloatTensor(state)
            action = taken[t]
            action_logprob, state_val, _ = agent.policy_old.evaluate(state.unsqueeze(0), action.unsqueeze(0))

        agent.buffer.states.append(state)
        agent.buffer.actions.append(action)
        agent.buffer.logprobs.append(action_logprob)
        agent.buffer.state_values.append(state_val)
        agent.buffer.rewards.append(float(rng.randn()))
        agent.buffer.is_terminals.append((t + 1) % EPISODE == 0)


def learned(agent, seed):
    agent.policy_old.load_state_dict(agent.policy.state_dict())
    values = []
    for update in range(3):
        collect(agent, seed + update)
        agent.update()
        if agent.has_continuous_action_space:
            agent.decay_action_std(0.05, 0.1)
        action_logprobs, state_values, dist_entropy = agent.policy_old.evaluate(
            torch.from_numpy(states(99, 4)), actions(98, 4, agent.policy_old)
        )
        values += [action_logprobs.mean().item(), state_values.mean().item(), dist_entropy.mean().item()]
    return values


def train(walker_policy, cart_policy):
    results = {}
    for name, agent in agents.items():
        results[f"{name}_evaluations"] = learned(agent, 10)
        results[f"{name}_actor"] = agent.policy.actor[0].weight
        results[f"{name}_critic"] = agent.policy.critic[4].weight
    agent = agents["walker"]
    agent.save("PPO_walker.pth")
    agent.load("PPO_walker.pth")
    results["loaded"] = agent.policy.actor[4].bias
    return results
