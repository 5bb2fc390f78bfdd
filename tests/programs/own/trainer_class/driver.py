from config import Config
from data import make_loader
from model import TabularNet
from trainer import Trainer

cfg = Config()


def build():
    return TabularNet(cfg)


def init():
    model = TabularNet(cfg)
    return {"embed": model.embed.weight, "bias": model.embed.bias, "norm": model.blocks[0].norm.weight}


def forward(model):
    features, _ = next(iter(make_loader(8, cfg, seed=0)))
    return {"logits": model(features), "parameters": model.num_parameters()}


def train(model):
    trainer = Trainer(model, cfg, make_loader(16, cfg, seed=1), make_loader(16, cfg, seed=2))
    history = trainer.fit()
    trainer.load(cfg.checkpoint)
    return {**history, "head": model.head.weight, "embed": model.embed.weight}
