import BigGAN
import numpy as np
import torch
import torch.nn as nn
import train_fns
import utils

CLASSES, BATCH = 5, 4


def config():
    """What the parser gives, for small CIFAR models with class embeddings and attention."""
    settings = vars(utils.prepare_parser().parse_args([]))
    settings.update(
        dataset="C10",
        resolution=32,
        n_classes=CLASSES,
        G_ch=8,
        D_ch=8,
        dim_z=40,
        shared_dim=16,
        G_shared=True,
        hier=True,
        G_attn="16",
        D_attn="16",
        G_activation=nn.ReLU(inplace=False),
        D_activation=nn.ReLU(inplace=False),
        batch_size=BATCH,
        num_D_steps=2,
        num_D_accumulations=1,
        num_G_accumulations=1,
        toggle_grads=True,
        ema=True,
        G_ortho=1e-4,
        adam_eps=1e-6,
    )
    return settings


def build():
    settings = config()
    return BigGAN.Generator(**settings), BigGAN.Discriminator(**settings)


def noise(seed, width):
    """z and classes that stay as they are: a distribution of another kind than those which are drawn anew."""
    random = np.random.RandomState(seed)
    z = utils.Distribution(torch.from_numpy(random.randn(BATCH, width).astype("float32")))
    z.init_distribution("fixed")
    y = utils.Distribution(torch.from_numpy(random.randint(0, CLASSES, (BATCH,)).astype("int64")))
    y.init_distribution("fixed")
    return z, y


def images(seed, count):
    random = np.random.RandomState(seed)
    x = torch.from_numpy(random.uniform(-1, 1, (count, 3, 32, 32)).astype("float32"))
    return x, torch.from_numpy(random.randint(0, CLASSES, (count,)).astype("int64"))


def forward(G, D):
    G.eval()
    D.eval()
    x, y = images(0, BATCH)
    z = torch.from_numpy(np.random.RandomState(1).randn(BATCH, G.dim_z).astype("float32"))
    with torch.no_grad():
        fake = G(z, G.shared(y))
        scores = D(x, y)
        D_fake, D_real = BigGAN.G_D(G, D)(z, y, x, y, train_G=False, split_D=False)
    return {"fake": fake, "scores": scores, "D_fake": D_fake, "D_real": D_real}


def train(G, D):
    settings = config()
    G_ema = BigGAN.Generator(**{**settings, "skip_init": True, "no_optim": True})
    ema = utils.ema(G, G_ema, 0.5, 1)
    GD = BigGAN.G_D(G, D)
    state_dict = {"itr": 0, "epoch": 0, "config": settings}
    z_, y_ = noise(2, G.dim_z)
    step = train_fns.GAN_training_function(G, D, GD, z_, y_, ema, state_dict, settings)
    losses = {"G_loss": [], "D_loss_real": [], "D_loss_fake": []}
    for i in range(3):
        state_dict["itr"] += 1
        G.train()
        D.train()
        G_ema.train()
        metrics = step(*images(3 + i, BATCH * settings["num_D_steps"]))
        for name, value in metrics.items():
            losses[name].append(value)
    return {
        **losses,
        "generator": G.linear.weight,
        "embedding": G.shared.weight,
        "average": G_ema.shared.weight,
        "discriminator": D.linear.weight,
    }


def init():
    G, D = build()
    return {"linear": G.linear.weight, "shared": G.shared.weight, "conv": D.blocks[0][0].conv1.weight}
