import importlib
import os
import sys

import numpy as np
import torch

# The digits lie where the script looks for them, as if torchvision had fetched them. All are alike: they are shuffled.
digit = np.random.RandomState(0).randint(0, 256, 784).astype("uint8").tobytes()
os.makedirs("../../data/mnist/MNIST/raw", exist_ok=True)
for part in ("train", "t10k"):
    begin = f"../../data/mnist/MNIST/raw/{part}"
    with open(f"{begin}-images-idx3-ubyte", "wb") as f:
        f.write(bytes([0, 0, 8, 3, 0, 0, 0, 12, 0, 0, 0, 28, 0, 0, 0, 28]) + digit * 12)
    with open(f"{begin}-labels-idx1-ubyte", "wb") as f:
        f.write(bytes([0, 0, 8, 1, 0, 0, 0, 12]) + bytes(12))

ARGUMENTS = ["wgan_gp.py", "--batch_size", "4", "--latent_dim", "8", "--img_size", "8", "--n_critic", "2"]
sys.argv = [*ARGUMENTS, "--n_epochs", "0"]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "implementations", "wgan_gp"))

for left in ("generator.pth", "discriminator.pth"):
    if os.path.exists(left):
        os.remove(left)

import wgan_gp  # noqa: E402


def build():
    return wgan_gp.Generator(), wgan_gp.Discriminator()


def normal(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(generator, discriminator):
    generator.eval()
    fake = generator(normal(0, 4, 8))
    real = normal(1, 4, 1, 8, 8)

    def penalty():
        np.random.seed(2)  # the weights of the mix are NumPy's
        return wgan_gp.compute_gradient_penalty(discriminator, real, fake.detach())

    return {"fake": fake, "validity": discriminator(fake), "penalty": penalty}


def train(generator, discriminator):
    """The script trains while it is run: three epochs of three batches, one in two of which trains the generator."""
    torch.save(generator.state_dict(), "generator.pth")
    torch.save(discriminator.state_dict(), "discriminator.pth")
    sys.argv = [*ARGUMENTS, "--n_epochs", "3"]
    script = importlib.reload(wgan_gp)
    return {
        "d_loss": script.d_loss.item(),
        "g_loss": script.g_loss.item(),
        "generator": script.generator.model[0].weight,
        "norm": script.generator.model[3].running_var,
        "discriminator": script.discriminator.model[0].weight,
        "batches": script.batches_done,
    }
