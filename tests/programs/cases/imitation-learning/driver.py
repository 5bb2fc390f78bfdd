import numpy as np
import torch
from torch.optim import AdamW

from memory import ReplayMemory
from models import (
    GAILDiscriminator,
    GMMILDiscriminator,
    PWILDiscriminator,
    REDDiscriminator,
    RewardRelabeller,
    SoftActor,
    TwinCritic,
    create_target_network,
    make_gail_input,
    mix_expert_agent_transitions,
    update_target_network,
)
from training import adversarial_imitation_update, behavioural_cloning_update, target_estimation_update

STATES, ACTIONS, SIZE, BATCH = 5, 2, 16, 6


class Settings(dict):
    """Stands for omegaconf's."""

    __getattr__ = dict.__getitem__


def network(**changes):
    return Settings(hidden_size=8, depth=2, activation="relu", **changes)


def imitation(**changes):
    discriminator = network(
        reward_shaping=changes.pop("reward_shaping", False), subtract_log_policy=changes.pop("subtract_log_policy", False),
        reward_function=changes.pop("reward_function", "AIRL"), input_dropout=0, dropout=0,
    )  # fmt: skip
    given = dict(
        state_only=False, spectral_norm=True, loss_function="BCE", grad_penalty=1.0, mixup_alpha=1, entropy_bonus=0.1,
        pos_class_prior=0.7, nonnegative_margin=10.0, discriminator=discriminator, reward_bandwidth_scale=5.0, reward_scale=5.0,
    )  # fmt: skip
    given.update(changes)
    return Settings(given)


GAIL = {
    "plain": imitation(),
    "shaped": imitation(reward_shaping=True, subtract_log_policy=True, spectral_norm=False, reward_function="FAIRL"),
    "unlabelled": imitation(loss_function="PUGAIL", state_only=True, grad_penalty=0.0, reward_function="GAIL"),
}


def tensor(rng, *shape):
    return torch.from_numpy(rng.randn(*shape).astype(np.float32))


def memory(seed):
    rng = np.random.RandomState(seed)
    filled = ReplayMemory(SIZE, STATES, ACTIONS, False)
    for step in range(SIZE):
        filled.append(
            step, tensor(rng, 1, STATES), torch.tanh(tensor(rng, 1, ACTIONS)), rng.randn(), tensor(rng, 1, STATES),
            step % 5 == 4, False,
        )  # fmt: skip
    return filled


def batch(seed):
    np.random.seed(seed)
    return memory(seed).sample(BATCH)


def build():
    actor = SoftActor(STATES, ACTIONS, network())
    critic = TwinCritic(STATES, ACTIONS, network())
    gail = [GAILDiscriminator(STATES, ACTIONS, settings, 0.9) for settings in GAIL.values()]
    return (actor, critic, REDDiscriminator(STATES, ACTIONS, imitation(reward_bandwidth_scale=None)), *gail)


def relabelled(balanced, update_freq):
    transitions, expert = batch(3), batch(4)
    RewardRelabeller(update_freq, balanced).resample_and_relabel(transitions, expert, 7, 3, 2)
    return torch.stack([transitions["rewards"], transitions["step"]])


def forward(actor, critic, red, *gail):
    for net in (actor, critic, red, *gail):
        net.eval()
    mine, expert = batch(1), batch(2)
    state, action = mine["states"], mine["actions"]

    def rewards(settings, net):
        parts = mine["states"], mine["actions"], mine["next_states"], mine["terminals"]
        inner = settings.discriminator
        return net.predict_reward(**make_gail_input(*parts, actor, inner.reward_shaping, inner.subtract_log_policy))

    def matched():
        net = GMMILDiscriminator(STATES, ACTIONS, imitation())
        return net.predict_reward(state, action, expert["states"], expert["actions"], mine["weights"], expert["weights"])

    def transported():
        net = PWILDiscriminator(STATES, ACTIONS, imitation(), memory(5), 8)
        return torch.tensor([net.compute_reward(state[i : i + 1], action[i : i + 1]) for i in range(4)])

    def of_red():
        red.set_sigma(expert["states"], expert["actions"])
        return red.predict_reward(state, action)

    def mixed():
        transitions = batch(3)
        mix_expert_agent_transitions(transitions, batch(4))
        return transitions["states"]

    outputs = {name: lambda net=net, one=one: rewards(one, net) for (name, one), net in zip(GAIL.items(), gail)}
    return {
        **outputs,
        "greedy": lambda: actor.get_greedy_action(state),
        "likelihood": lambda: actor.log_prob(state, action),
        "values": lambda: torch.stack(critic(state, action)),
        "red": of_red,
        "matched": matched,
        "transported": transported,
        "mixed": mixed,
        "balanced": lambda: relabelled(True, 0),
        "rounds": lambda: relabelled(False, 2),
    }


def cloned(actor):
    optimiser = AdamW(actor.parameters(), lr=1e-3, weight_decay=0.1)
    for step in range(3):
        behavioural_cloning_update(actor, batch(step), optimiser)
    return [actor.log_prob(batch(9)["states"], batch(9)["actions"]), *actor.parameters()]


def estimated(red):
    optimiser = AdamW(red.predictor.parameters(), lr=1e-3)
    for step in range(3):
        target_estimation_update(red, batch(step), optimiser)
    return [*red.predictor.parameters()]


def adversarial(actor, discriminator, settings):
    optimiser = AdamW(discriminator.parameters(), lr=1e-3, weight_decay=0.01)
    for step in range(3):
        transitions = batch(step)  # on both sides, as penalties are taken between them at random
        adversarial_imitation_update(actor, discriminator, transitions, transitions, optimiser, settings)
    return [parameter for parameter in discriminator.parameters()]


def followed(critic):
    target = create_target_network(critic)
    with torch.no_grad():
        for parameter in critic.parameters():
            parameter.mul_(0.5)
    update_target_network(critic, target, 0.9)
    return [*target.parameters()]


def train(actor, critic, red, *gail):
    steps = {
        name: lambda net=net, one=one: adversarial(actor, net, one) for (name, one), net in zip(GAIL.items(), gail)
    }
    return {**steps, "cloned": lambda: cloned(actor), "red": lambda: estimated(red), "target": lambda: followed(critic)}
