"""A variational autoencoder of scikit-learn's handwritten digits; the figure is the bound on the test digits."""

import argparse
import json
import time

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn, optim
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 128)
        self.fc21 = nn.Linear(128, 8)
        self.fc22 = nn.Linear(128, 8)
        self.fc3 = nn.Linear(8, 128)
        self.fc4 = nn.Linear(128, 64)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x, reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=15)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = np.random.RandomState(args.seed)
    images = (load_digits().data / 16).astype(np.float32)
    train, held_out = images[:1400], torch.from_numpy(images[1400:])
    model = VAE()
    optimizer = optim.Adam(model.parameters(), lr=2e-3)
    seconds = []
    for epoch in range(args.epochs):
        model.train()
        order = rng.permutation(len(train))
        for first in range(0, len(train), 50):
            data = torch.from_numpy(train[order[first : first + 50]])
            start = time.perf_counter()
            optimizer.zero_grad()
            recon_batch, mu, logvar = model(data)
            loss = loss_function(recon_batch, data, mu, logvar)
            loss.backward()
            optimizer.step()
            seconds.append(time.perf_counter() - start)
        model.eval()
        with torch.no_grad():
            recon, mu, logvar = model(held_out)
            bound = loss_function(recon, held_out, mu, logvar).item() / len(held_out)
        print(json.dumps({"step": epoch + 1, "value": bound}), flush=True)
    print(json.dumps({"seconds": float(np.median(seconds))}))


if __name__ == "__main__":
    main()
