import numpy as np
import torch

from experiment import VAEXperiment
from models import VQVAE, BetaTCVAE, VanillaVAE

params = {
    "LR": 0.0001, "weight_decay": 0.0, "scheduler_gamma": 0.95, "kld_weight": 0.00025, "manual_seed": 1265,
}


def noise(shape):
    return torch.from_numpy(np.random.RandomState(7).randn(*shape).astype("float32"))


class Vanilla(VanillaVAE):
    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = noise(std.shape)
        return eps * std + mu


class BetaTC(BetaTCVAE):
    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = noise(std.shape)
        return eps * std + mu


def build():
    return (
        Vanilla(in_channels=3, latent_dim=16),
        VQVAE(in_channels=3, embedding_dim=8, num_embeddings=16, hidden_dims=[8, 16], img_size=64),
        BetaTC(in_channels=3, latent_dim=10, anneal_steps=200, alpha=1.0, beta=6.0, gamma=1.0),
    )


def images(seed):
    rng = np.random.RandomState(seed)
    coarse = rng.uniform(-1, 1, (6, 3, 8, 8)).repeat(8, 2).repeat(8, 3)
    values = np.clip(coarse + 0.1 * rng.randn(6, 3, 64, 64), -1, 1)
    return torch.from_numpy(values.astype("float32")), torch.from_numpy(rng.randint(0, 2, (6, 40)))


def forward(vanilla, vq, betatc):
    image = images(0)[0]
    for model in (vanilla, vq, betatc):
        model.eval()
    with torch.no_grad():
        recons, _, mu, log_var = vanilla(image)
        quantized, vq_loss = vq.vq_layer(vq.encode(image)[0])
        return {
            "recons": recons,
            "mu": mu,
            "log_var": log_var,
            "vq_quantized": quantized,
            "vq_recons": vq.generate(image),
            "vq_loss": vq_loss,
            "betatc": lambda: betatc.generate(image),
            "betatc_loss": lambda: list(betatc.loss_function(*betatc(image), M_N=0.1).values()),
        }


def fitted(model, seed):
    """What Lightning's trainer does with the experiment, as far as it counts here."""
    experiment = VAEXperiment(model, params)
    optimizers, schedulers = experiment.configure_optimizers()
    model.train()
    losses = []
    for epoch in range(3):
        for batch_idx, batch in enumerate([images(seed + epoch)]):
            optimizers[0].zero_grad()
            loss = experiment.training_step(batch, batch_idx)
            loss.backward()
            optimizers[0].step()
            losses.append(loss.item())
        schedulers[0].step()
    return losses


def train(vanilla, vq, betatc):
    return {
        "losses": fitted(vanilla, 10),
        "last": vanilla.final_layer[3].weight,
        "first": vanilla.encoder[0][0].weight,
        "vq_losses": lambda: fitted(vq, 20),
        "codebook": lambda: vq.vq_layer.embedding.weight,
        "betatc_losses": lambda: fitted(betatc, 30),
    }


def init():
    torch.manual_seed(1)
    return {"codebook": VQVAE(3, 16, 64, hidden_dims=[8, 16]).vq_layer.embedding.weight}
