import os
import sys

import numpy as np
import torch
from torch.utils.data import Dataset

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "atari"))

from mingpt.model_atari import GPT, GPTConfig
from mingpt.trainer_atari import Trainer, TrainerConfig
from mingpt.utils import sample

VOCABULARY, BLOCK, MODEL = 5, 6, "reward_conditioned"


class States(Dataset):
    """Two short stretches of a game, as run_dt_atari.py cuts them."""

    def __init__(self):
        rng = np.random.RandomState(0)
        self.states = rng.randint(0, 256, (2, BLOCK // 3, 4 * 84 * 84))
        self.actions = rng.randint(0, VOCABULARY, (2, BLOCK // 3, 1))
        self.rtgs = rng.randint(0, 9, (2, BLOCK // 3, 1))
        self.timesteps = np.arange(2).reshape(2, 1, 1)

    def __len__(self):
        return 2

    def __getitem__(self, idx):
        states = torch.tensor(self.states[idx], dtype=torch.float32) / 255.0
        actions = torch.tensor(self.actions[idx], dtype=torch.long)
        rtgs = torch.tensor(self.rtgs[idx], dtype=torch.float32)
        timesteps = torch.tensor(self.timesteps[idx], dtype=torch.int64)
        return states, actions, rtgs, timesteps


def configuration():
    return GPTConfig(
        VOCABULARY,
        BLOCK,
        n_layer=2,
        n_head=2,
        n_embd=16,
        model_type=MODEL,
        max_timestep=8,
        embd_pdrop=0.0,
        resid_pdrop=0.0,
        attn_pdrop=0.0,
    )


def build():
    return GPT(configuration())


def init():
    torch.manual_seed(1)
    model = GPT(configuration())
    return {"encoder": model.state_encoder[0].weight, "query": model.blocks[0].attn.query.weight}


def batch():
    items = [States()[place] for place in range(2)]
    return [torch.stack(parts) for parts in zip(*items)]


def forward(model):
    model.eval()
    states, actions, rtgs, timesteps = batch()
    logits, loss = model(states, actions, actions, rtgs, timesteps)
    return {
        "logits": logits,
        "loss": loss,
        "first": lambda: model(states[:1, :1], None, None, rtgs[:1, :1], timesteps[:1])[0],
        "sampled": lambda: sample(
            model, states[:1, :1], 1, sample=False, rtgs=rtgs[:1, :1], timesteps=timesteps[:1]
        ),
    }


def train(model):
    config = TrainerConfig(
        max_epochs=3,
        batch_size=2,
        learning_rate=6e-3,
        lr_decay=True,
        warmup_tokens=16,
        final_tokens=100,
        num_workers=0,
        seed=1,
        model_type=MODEL,
        game="Pong",
        max_timestep=8,
    )
    trainer = Trainer(model, States(), None, config)
    trainer.get_returns = lambda wanted: 0.0
    trainer.train()
    states, actions, rtgs, timesteps = batch()
    with torch.no_grad():
        logits, loss = model(states, actions, actions, rtgs, timesteps)
    return {
        "loss": loss,
        "tokens": trainer.tokens,
        "encoder": model.state_encoder[2].weight,
        "query": model.blocks[1].attn.query.weight,
        "positions": model.global_pos_emb,
    }
