import gzip
import pickle

import numpy as np
import torch
import torch.optim as optim

# The script reads its data while it is imported.
digits = np.random.RandomState(0)
with gzip.open("mnist.pkl.gz", "wb") as f:
    pickle.dump([(digits.rand(50, 784).astype("float32"), digits.randint(0, 10, 50)) for _ in range(3)], f)

import gan_mnist  # noqa: E402

gan_mnist.DIM = 8
gan_mnist.BATCH_SIZE = 10
CRITIC_ITERS = 2


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(gan_mnist.BATCH_SIZE, 784).astype("float32"))


def noise(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(gan_mnist.BATCH_SIZE, 128).astype("float32"))


def build():
    return gan_mnist.Generator(), gan_mnist.Discriminator()


def forward(netG, netD):
    fake = netG(noise(0))
    # The penalty mixes both batches at random; between a batch and itself the mix is that batch.
    return {
        "fake": fake,
        "critic": netD(fake),
        "penalty": lambda: gan_mnist.calc_gradient_penalty(netD, images(1), images(1)),
    }


def train(netG, netD):
    optimizerD = optim.Adam(netD.parameters(), lr=1e-4, betas=(0.5, 0.9))
    optimizerG = optim.Adam(netG.parameters(), lr=1e-4, betas=(0.5, 0.9))
    one = torch.tensor(1.0)
    mone = one * -1
    costs = {"critic": [], "generator": [], "wasserstein": []}
    for iteration in range(3):
        for p in netD.parameters():
            p.requires_grad = True

        for iter_d in range(CRITIC_ITERS):
            real_data = images(10 * iteration + iter_d)
            netD.zero_grad()

            D_real = netD(real_data)
            D_real = D_real.mean()
            D_real.backward(mone)

            fake = netG(noise(100 + 10 * iteration + iter_d)).data
            D_fake = netD(fake)
            D_fake = D_fake.mean()
            D_fake.backward(one)

            gradient_penalty = gan_mnist.calc_gradient_penalty(netD, real_data, real_data)
            gradient_penalty.backward()

            D_cost = D_fake - D_real + gradient_penalty
            Wasserstein_D = D_real - D_fake
            optimizerD.step()

        for p in netD.parameters():
            p.requires_grad = False
        netG.zero_grad()

        fake = netG(noise(200 + iteration))
        G = netD(fake)
        G = G.mean()
        G.backward(mone)
        G_cost = -G
        optimizerG.step()

        costs["critic"].append(D_cost.item())
        costs["generator"].append(G_cost.item())
        costs["wasserstein"].append(Wasserstein_D.item())
    return {**costs, "netG": netG.deconv_out.weight, "netD": netD.output.weight}
