import logging
import tempfile

import numpy as np
import torch
from torch import optim

from disvae import init_specific_model
from disvae.models import losses as vae_losses
from disvae.models.losses import get_loss_f
from disvae.models.vae import VAE
from disvae.training import Trainer
from disvae.utils.modelIO import load_metadata

LATENT, NAMES = 4, ("betaB", "factor", "btcvae")


def steady_noise(seed, shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


class Steady:
    """The noise of the latent samples, the same on both sides."""

    def reparameterize(self, mean, logvar):
        if not self.training:
            return mean
        return mean + torch.exp(0.5 * logvar) * steady_noise(1, mean.shape)


class SteadyVAE(Steady, VAE):
    pass


def steady_permutation(latent_sample):
    perm = torch.zeros_like(latent_sample)
    batch_size, dim_z = perm.size()
    for z in range(dim_z):
        pi = torch.from_numpy(np.random.RandomState(z).permutation(batch_size))
        perm[:, z] = latent_sample[pi, z]
    return perm


vae_losses._permute_dims = steady_permutation


def vae():
    from disvae.models.decoders import get_decoder
    from disvae.models.encoders import get_encoder

    model = SteadyVAE((1, 32, 32), get_encoder("Burgess"), get_decoder("Burgess"), LATENT)
    model.model_type = "Burgess"
    return model


def build():
    made["loss"] = {name: loss(name) for name in NAMES}
    return (*(vae() for _ in NAMES), made["loss"]["factor"].discriminator)


made = {}


def loss(name):
    return get_loss_f(
        name,
        rec_dist={"betaB": "bernoulli", "factor": "gaussian", "btcvae": "laplace"}[name],
        reg_anneal=10,
        betaB_initC=0.0,
        betaB_finC=25.0,
        betaB_G=100.0,
        device=torch.device("cpu"),
        factor_G=6.0,
        latent_dim=LATENT,
        lr_disc=5e-5,
        n_data=100,
        btcvae_A=1.0,
        btcvae_B=6.0,
        btcvae_G=1.0,
    )


def init():
    torch.manual_seed(1)
    model = init_specific_model("Burgess", (1, 32, 32), LATENT)
    return {
        "conv": model.encoder.conv2.weight,
        "transposed": model.decoder.convT1.weight,
        "linear": model.encoder.lin1.weight,
    }


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(6, 1, 32, 32).astype("float32"))


def forward(*nets):
    model, discriminator = nets[0].eval(), nets[-1]
    reconstruct, (mean, logvar), sample = model(images(0))
    return {
        "reconstruct": reconstruct,
        "mean": mean,
        "logvar": logvar,
        "sample": sample,
        "discriminator": discriminator(mean),
        "weights": lambda: vae_losses.log_importance_weight_matrix(6, 100),
    }


def train(*nets):
    results = {}
    for name, model in zip(NAMES, nets):
        optimizer = optim.Adam(model.parameters(), lr=1e-3)
        with tempfile.TemporaryDirectory() as folder:
            trainer = Trainer(
                model,
                optimizer,
                made["loss"][name],
                logger=logging.getLogger("made-up"),
                save_dir=folder,
                is_progress_bar=False,
            )
            loader = [(images(seed), 0) for seed in (1, 2)]
            trainer(loader, epochs=2, checkpoint_every=1)
            results[f"{name}_latent_dim"] = np.array(load_metadata(folder)["latent_dim"])
            with open(f"{folder}/train_losses.log") as log:
                results[f"{name}_losses"] = np.array([float(line.split(",")[2]) for line in log.readlines()[1:]])
        results[f"{name}_conv"] = model.encoder.conv1.weight
        results[f"{name}_lin"] = model.decoder.lin3.weight
    results["discriminator"] = nets[-1].lin2.weight
    return results
