import os
import random
import sys

import numpy as np
import torch

from models import networks
from models.models import create_model
from options.train_options import TrainOptions
from util import util

SIZE = 64
ARGUMENTS = [
    "train.py", "--dataroot", "made", "--no_dropout", "--name", "enlightening", "--model", "single",
    "--dataset_mode", "unaligned", "--which_model_netG", "sid_unet_resize", "--which_model_netD", "no_norm_4", "--patchD",
    "--patch_vgg", "--patchD_3", "2", "--n_layers_D", "3", "--n_layers_patchD", "2", "--fineSize", str(SIZE),
    "--patchSize", "32", "--skip", "1", "--batchSize", "2", "--self_attention", "--use_norm", "1", "--use_wgan", "0",
    "--use_ragan", "--hybrid_loss", "--times_residual", "--instance_norm", "0", "--vgg", "1", "--vgg_choose", "relu5_1",
    "--gpu_ids", "-1", "--ndf", "8", "--pool_size", "0",
]  # fmt: skip


def options(*more):
    given = sys.argv
    sys.argv = [*ARGUMENTS, *more]
    try:
        return TrainOptions().parse()
    finally:
        sys.argv = given


def batch(seed):
    rng = np.random.RandomState(seed)
    a, b = (torch.from_numpy(rng.uniform(-1, 1, (2, 3, SIZE, SIZE)).astype("float32")) for _ in range(2))
    gray = torch.from_numpy(rng.rand(2, 1, SIZE, SIZE).astype("float32"))
    return {"A": a, "B": b, "A_gray": gray, "input_img": a, "A_paths": ["a", "b"], "B_paths": ["c", "d"]}


def build():
    opt = options()
    return (
        networks.define_G(3, 3, opt.ngf, opt.which_model_netG, opt.norm, False, [], skip=True, opt=opt),
        networks.define_D(3, opt.ndf, opt.which_model_netD, opt.n_layers_D, opt.norm, False, [], False),
        networks.define_D(3, opt.ndf, opt.which_model_netD, opt.n_layers_patchD, opt.norm, False, [], True),
        networks.Vgg16(),
    )


def init():
    torch.manual_seed(1)
    nets = build()
    return {
        "generator": nets[0].conv3_1.weight,
        "norm": nets[0].bn5_1.weight,
        "discriminator": nets[1].model[2].weight,
    }


def forward(G, D, P, vgg):
    for net in (G, D, P, vgg):
        net.eval()
    data, opt = batch(0), options("--vgg_mean")
    fake, latent = G(data["A"], data["A_gray"])
    loss = networks.GANLoss(use_lsgan=True, tensor=torch.FloatTensor)
    return {
        "fake": fake,
        "latent": latent,
        "odd": lambda: G(data["A"][:, :, :60, :50], data["A_gray"][:, :, :60, :50])[0],
        "judged": lambda: D(fake),
        "losses": lambda: [loss(D(fake), True), loss(D(fake), False), loss(P(fake), True)],
        "preprocessed": lambda: networks.vgg_preprocess(data["B"], opt),
        "perceptual": lambda: networks.PerceptualLoss(opt).compute_vgg_loss(vgg, fake, data["A"]),
        "image": lambda: util.tensor2im(data["B"].data),
        "attention": lambda: util.atten2im(data["A_gray"].data),
    }


def train(G, D, P, vgg):
    os.makedirs("model", exist_ok=True)
    torch.save(vgg.state_dict(), "model/vgg16.weight")
    model = create_model(options())
    for net, given in ((model.netG_A, G), (model.netD_A, D), (model.netD_P, P)):
        net.load_state_dict(given.state_dict())
    random.seed(0)
    losses = []
    for step in range(3):
        model.set_input(batch(step))
        model.optimize_parameters(step)
        losses.append(
            [model.loss_G.item(), model.loss_D_A.item(), model.loss_D_P.item(), model.loss_vgg_b.item()]
        )
    model.save("latest")
    model.update_learning_rate()
    again = create_model(options("--continue_train"))
    return {
        "losses": losses,
        "generator": model.netG_A.conv3_1.weight,
        "norm": model.netG_A.bn1_1.running_mean,
        "discriminator": model.netD_A.model[0].weight,
        "patch": model.netD_P.model[2].weight,
        "rate": model.optimizer_G.param_groups[0]["lr"],
        "restored": again.netG_A.conv10.weight,
        "saved": len(os.listdir("checkpoints/enlightening")),
    }
