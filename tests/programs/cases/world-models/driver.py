import os
import sys

import numpy as np
import torch
from torch import optim
from torch.utils.data import DataLoader

# Both scripts read the command line and their data when they are imported; the last 600 rollouts are for testing.
rng = np.random.RandomState(0)
os.makedirs("datasets/carracing/thread", exist_ok=True)
os.makedirs("logs", exist_ok=True)
rollout = {
    "observations": rng.randint(0, 256, (10, 8, 8, 3)).repeat(8, 1).repeat(8, 2).astype("uint8"),
    "actions": rng.uniform(-1, 1, (10, 3)),
    "rewards": rng.randn(10),
    "terminals": np.arange(10) > 7,
}
for index in range(604):
    np.savez(f"datasets/carracing/thread/rollout_{index}.npz", **rollout)
sys.argv = "train --logdir logs --epochs 0 --nosamples --noreload".split()

import trainvae  # noqa: E402
from models import MDRNN, VAE, Controller, MDRNNCell  # noqa: E402
from models.mdrnn import gmm_loss  # noqa: E402
from utils.learning import EarlyStopping, ReduceLROnPlateau  # noqa: E402
from utils.misc import (  # noqa: E402
    ASIZE, LSIZE, RSIZE, flatten_parameters, load_parameters, save_checkpoint, unflatten_parameters,
)  # fmt: skip

saved = "logs/vae/best.tar"
save_checkpoint(
    {"epoch": 0, "state_dict": trainvae.model.state_dict(), "precision": 1.0},
    True,
    "logs/vae/checkpoint.tar",
    saved,
)
sys.argv = "train --logdir logs --noreload --include_reward".split()

import trainmdrnn  # noqa: E402


def image(observation):
    return torch.from_numpy(np.ascontiguousarray(observation.transpose(2, 0, 1), "float32") / 255)


def frames(observations):
    return np.transpose(observations, (0, 3, 1, 2)) / 255


def build():
    return (
        VAE(3, LSIZE),
        MDRNN(LSIZE, ASIZE, RSIZE, 5),
        MDRNNCell(LSIZE, ASIZE, RSIZE, 5),
        Controller(LSIZE, RSIZE, ASIZE),
    )


def quiet(vae):
    """The code is drawn; without a spread the draw is its mean."""
    vae.encoder.fc_logsigma.weight.data.zero_()
    vae.encoder.fc_logsigma.bias.data.fill_(-60.0)


def values(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(vae, mdrnn, cell, controller):
    quiet(vae)
    x = torch.stack([image(rollout["observations"][i]) for i in range(3)])
    actions, latents = values(1, 6, 4, ASIZE), values(2, 6, 4, LSIZE)
    mus, sigmas, logpi, rs, ds = mdrnn(actions, latents)
    outputs = {
        "vae": lambda: list(vae(x)),
        "mdrnn": [mus, sigmas, logpi, rs, ds],
        "gmm": lambda: gmm_loss(values(3, 6, 4, LSIZE), mus, sigmas, logpi),
        "gmm_each": lambda: gmm_loss(values(3, 6, 4, LSIZE), mus, sigmas, logpi, reduce=False),
        "vae_loss": lambda: trainvae.loss_function(*vae(x)[:1], x, *vae(x)[1:]),
    }

    def play():
        hidden = [torch.zeros(1, RSIZE) for _ in range(2)]
        actions = []
        for _ in range(3):
            latent = vae(x[:1])[1]
            action = controller(latent, hidden[0])
            *_, hidden = cell(action, latent, hidden)
            actions.append(action.squeeze().detach().cpu().numpy())
        return [*actions, hidden[0], hidden[1]]

    def loaded():
        flat = flatten_parameters(controller.parameters())
        load_parameters(flat * 0.5, controller)
        halves = list(unflatten_parameters(flat, controller.parameters(), "cpu"))
        shown = [flat, controller.fc.weight.clone(), *halves]
        load_parameters(flat, controller)
        return shown

    return {**outputs, "play": play, "loaded": loaded}


def train(vae, mdrnn, cell, controller):
    results = {}
    quiet(vae)
    trainvae.model = vae
    trainvae.dataset_train._transform = trainvae.dataset_test._transform = image
    trainvae.dataset_test._buffer_size = 3
    trainvae.train_loader = DataLoader(trainvae.dataset_train, batch_size=20)
    trainvae.test_loader = DataLoader(trainvae.dataset_test, batch_size=20)
    trainvae.optimizer = optim.Adam(vae.parameters())
    scheduler = ReduceLROnPlateau(trainvae.optimizer, "min", factor=0.5, patience=0, threshold=0.9)
    earlystopping = EarlyStopping("min", patience=30)
    losses = []
    for epoch in range(1, 3):
        trainvae.train(epoch)
        losses.append(trainvae.test())
        scheduler.step(losses[-1])
        earlystopping.step(losses[-1])
        save_checkpoint(
            {
                "epoch": epoch,
                "state_dict": vae.state_dict(),
                "precision": losses[-1],
                "optimizer": trainvae.optimizer.state_dict(),
                "scheduler": scheduler.state_dict(),
                "earlystopping": earlystopping.state_dict(),
            },
            True,
            "logs/vae/checkpoint.tar",
            saved,
        )
    results["vae_losses"] = losses
    results["vae_lr"] = [trainvae.optimizer.param_groups[0]["lr"], earlystopping.num_bad_epochs]
    results["vae_weight"] = vae.decoder.deconv4.weight

    trainmdrnn.vae.load_state_dict(torch.load(saved, weights_only=False)["state_dict"])
    trainmdrnn.mdrnn = mdrnn
    trainmdrnn.optimizer = torch.optim.RMSprop(mdrnn.parameters(), lr=1e-3, alpha=0.9)
    for name in ("train_loader", "test_loader"):
        dataset = getattr(trainmdrnn, name).dataset
        dataset._transform = frames
        setattr(trainmdrnn, name, DataLoader(dataset, batch_size=trainmdrnn.BSIZE))
    losses = []
    for e in range(2):
        losses.append(trainmdrnn.train(e))
        losses.append(trainmdrnn.test(e))
        trainmdrnn.scheduler.step(losses[-1])
    results["mdrnn_losses"] = losses
    results["mdrnn_weight"] = mdrnn.rnn.weight_hh_l0
    results["gmm_weight"] = mdrnn.gmm_linear.weight
    return results
