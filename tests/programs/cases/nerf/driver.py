import tempfile
from argparse import Namespace

import numpy as np
import torch
from run_nerf import create_nerf, render
from run_nerf_helpers import get_rays_np, img2mse, mse2psnr

HEIGHT, WIDTH, RAYS = 8, 10, 24
CAMERA = np.array([[12.0, 0, 0.5 * WIDTH], [0, 12.0, 0.5 * HEIGHT], [0, 0, 1]])


def arguments(folder):
    """Those of config_parser(), small and without random samples."""
    return Namespace(
        basedir=folder,
        expname="",
        ft_path=None,
        no_reload=True,
        multires=4,
        multires_views=2,
        i_embed=0,
        use_viewdirs=True,
        N_importance=6,
        N_samples=8,
        netdepth=6,
        netwidth=32,
        netdepth_fine=6,
        netwidth_fine=32,
        netchunk=512,
        lrate=5e-4,
        lrate_decay=250,
        perturb=0.0,
        white_bkgd=True,
        raw_noise_std=0.0,
        dataset_type="blender",
        no_ndc=True,
        lindisp=False,
    )


def create():
    with tempfile.TemporaryDirectory() as folder:
        render_kwargs_train, render_kwargs_test, _, _, _ = create_nerf(arguments(folder))
    bounds = {"near": 2.0, "far": 6.0}
    render_kwargs_train.update(bounds)
    render_kwargs_test.update(bounds)
    return render_kwargs_train, render_kwargs_test


def build():
    render_kwargs_train, _ = create()
    return render_kwargs_train["network_fn"], render_kwargs_train["network_fine"]


def pose(angle):
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, 0, sin, 4 * sin], [0, 1, 0, 0.2], [-sin, 0, cos, 4 * cos]], dtype="float32")


def views():
    """Rays of two cameras with the colours that they see, shuffled."""
    random = np.random.RandomState(0)
    rays_rgb = []
    for angle in (0.1, 0.8):
        rays_o, rays_d = get_rays_np(HEIGHT, WIDTH, CAMERA, pose(angle))
        rgb = random.uniform(size=(HEIGHT, WIDTH, 3))
        rays_rgb.append(np.stack([rays_o, rays_d, rgb], 2).reshape(-1, 3, 3))
    rays_rgb = np.concatenate(rays_rgb).astype("float32")
    random.shuffle(rays_rgb)
    return torch.Tensor(rays_rgb)


def forward(model, model_fine):
    _, render_kwargs_test = create()
    render_kwargs_test.update(network_fn=model, network_fine=model_fine)
    with torch.no_grad():
        rgb, _, acc, extras = render(
            HEIGHT, WIDTH, CAMERA, chunk=32, c2w=torch.Tensor(pose(0.4)), **render_kwargs_test
        )
    return {"rgb": rgb, "acc": acc, "coarse": extras["rgb0"], "z_std": extras["z_std"]}


def train(model, model_fine):
    args = arguments("")
    render_kwargs_train, _ = create()
    render_kwargs_train.update(network_fn=model, network_fine=model_fine)
    grad_vars = list(model.parameters()) + list(model_fine.parameters())
    optimizer = torch.optim.Adam(params=grad_vars, lr=args.lrate, betas=(0.9, 0.999))
    rays_rgb = views()
    losses, psnrs = [], []
    for global_step in range(4):
        i_batch = global_step * RAYS
        batch = torch.transpose(rays_rgb[i_batch : i_batch + RAYS], 0, 1)
        batch_rays, target_s = batch[:2], batch[2]
        rgb, _, _, extras = render(
            HEIGHT,
            WIDTH,
            CAMERA,
            chunk=64,
            rays=batch_rays,
            verbose=False,
            retraw=True,
            **render_kwargs_train,
        )
        optimizer.zero_grad()
        img_loss = img2mse(rgb, target_s)
        loss = img_loss
        psnr = mse2psnr(img_loss)
        if "rgb0" in extras:
            img_loss0 = img2mse(extras["rgb0"], target_s)
            loss = loss + img_loss0
        loss.backward()
        optimizer.step()
        new_lrate = args.lrate * (0.1 ** (global_step / (args.lrate_decay * 1000)))
        for param_group in optimizer.param_groups:
            param_group["lr"] = new_lrate
        losses.append(loss.item())
        psnrs.append(psnr.item())
    return {
        "losses": losses,
        "psnrs": psnrs,
        "alpha": model_fine.alpha_linear.weight,
        "rgb": model.rgb_linear.weight,
    }
