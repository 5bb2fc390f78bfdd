import argparse
import os
import tempfile

import numpy as np
import torch

import sac_ae
import train as trainer
import utils
from decoder import make_decoder
from logger import Logger

PIXELS, ACTION = (3, 84, 84), (2,)
agents = []


def sure(noise, log_std):
    """What was drawn would show in the logarithm, however small the deviation."""
    return -log_std.sum(-1, keepdim=True) - 0.1 * noise.size(-1)


def undithered(obs, bits=5):
    return torch.floor(obs / 2 ** (8 - bits)) / 2**bits - 0.5


sac_ae.gaussian_logprob = sure


def agent(kind, shape):
    args = argparse.Namespace(
        agent="sac_ae", hidden_dim=16, discount=0.9, init_temperature=0.1, alpha_lr=1e-3, alpha_beta=0.5, actor_lr=1e-3,
        actor_beta=0.9, actor_log_std_min=-40.0, actor_log_std_max=-38.0, actor_update_freq=2, critic_lr=1e-3,
        critic_beta=0.9, critic_tau=0.1, critic_target_update_freq=2, encoder_type=kind, encoder_feature_dim=6,
        encoder_lr=1e-3, encoder_tau=0.05, decoder_type=kind, decoder_lr=1e-3, decoder_update_freq=1,
        decoder_latent_lambda=1e-3, decoder_weight_lambda=1e-4, num_layers=2, num_filters=4,
    )  # fmt: skip
    return trainer.make_agent(shape, ACTION, args, torch.device("cpu"))


def build():
    agents[:] = [agent("pixel", PIXELS), agent("identity", (5,))]
    pixel, plain = agents
    return pixel.critic, pixel.actor, pixel.critic_target, pixel.decoder, plain.actor, plain.critic, plain.critic_target


def init():
    utils.set_seed_everywhere(1)
    one = agent("pixel", PIXELS)
    return {"linear": one.critic.Q1.trunk[2].weight, "conv": one.critic.encoder.convs[1].weight, "fc": one.decoder.fc.weight}


def pictures(seed, count):
    return np.random.RandomState(seed).randint(0, 256, (count, *PIXELS)).astype("uint8")


def forward(critic, actor, target, decoder, small_actor, small_critic, small_target):
    obs = torch.from_numpy(pictures(0, 2)).float()
    action = torch.tanh(torch.from_numpy(np.random.RandomState(1).randn(2, 2).astype("float32")))
    dithered = utils.preprocess_obs(obs) - undithered(obs)
    return {
        "critic": lambda: list(critic(obs, action)),
        "encoded": lambda: critic.encoder(obs),
        "detached": lambda: critic.encoder(obs, detach=True),
        "actor": lambda: list(actor(obs)),
        "means": lambda: actor(obs, compute_pi=False, compute_log_pi=False)[0],
        "decoded": lambda: decoder(critic.encoder(obs)),
        "selected": lambda: agents[0].select_action(pictures(2, 1)[0]),
        "sampled": lambda: agents[1].sample_action(np.ones(5, dtype="float32")),
        "tied": lambda: [actor.encoder.convs[0].weight is critic.encoder.convs[0].weight],
        "hash": lambda: utils.module_hash(small_critic),
        "dithered": lambda: [bool(dithered.min() >= -1e-6), bool(dithered.max() < 1 / 32 + 1e-6)],
        "made": lambda: list(make_decoder("pixel", PIXELS, 6, 2, 4).fc.weight.shape),
    }


class World:
    class env:
        pass

    def __init__(self, shape):
        self.shape = shape

    def look(self):
        return (np.arange(np.prod(self.shape)).reshape(self.shape) * (self.steps + 3) % 251).astype("float32")

    def reset(self):
        self.steps = 0
        return self.look()

    def step(self, action):
        self.steps += 1
        return self.look(), float(action[0]), self.steps == 3, {}


class Video:
    def init(self, enabled):
        self.enabled = enabled

    def record(self, env):
        pass

    def save(self, name):
        pass


def filled(shape):
    memory = utils.ReplayBuffer(shape, ACTION, 6, 8, torch.device("cpu"))
    rng = np.random.RandomState(3)
    for step in range(6):
        if len(shape) == 1:
            obs, following = rng.randn(*shape), rng.randn(*shape)
        else:
            obs, following = pictures(step, 1)[0], pictures(step + 1, 1)[0]
        memory.add(obs, np.tanh(rng.randn(2)), rng.randn(), following, step % 3 == 2)
    return memory


def train(*nets):
    results = {}
    utils.preprocess_obs = undithered
    sac_ae.LOG_FREQ = 2
    for name, one, shape in (("pixel", agents[0], PIXELS), ("plain", agents[1], (5,))):
        np.random.seed(5)
        one.critic_target.load_state_dict(one.critic.state_dict())
        memory = filled(shape)
        with tempfile.TemporaryDirectory() as folder:
            log = Logger(folder, use_tb=True)
            for step in range(4):
                one.update(memory, log, step)
            meters = log._train_mg._meters
            results[name + "_meters"] = [meters[key].value() for key in sorted(meters) if "target_entropy" not in key]
            one.critic.log(log, 0, 1)
            one.actor.log(log, 0, 1)
            log.dump(4)
            trainer.evaluate(World(shape), one, Video(), 2, log, 4)
            one.save(folder, 3)
            memory.save(folder)
            name_kept = os.path.join(folder, "0_0.pt")
            results[name + "_kept"] = os.path.exists(name_kept)
            with torch.no_grad():
                one.actor.trunk[0].weight.fill_(0.0)
            one.load(folder, 3)
        results[name + "_trunk"] = one.actor.trunk[0].weight
        results[name + "_alpha"] = one.alpha
        results[name + "_q"] = one.critic.Q1.trunk[4].weight
        results[name + "_target"] = one.critic_target.Q2.trunk[2].weight
        results[name + "_training"] = [one.actor.training, one.critic.training]
    pixel = agents[0]
    results["conv"] = pixel.critic.encoder.convs[1].weight
    results["actor_conv"] = pixel.actor.encoder.convs[1].weight
    results["target_conv"] = pixel.critic_target.encoder.convs[0].weight
    results["actor_fc"] = pixel.actor.encoder.fc.weight[:, ::97]
    results["decoder"] = pixel.decoder.deconvs[1].weight
    return results
