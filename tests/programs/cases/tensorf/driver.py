import numpy as np
import torch

from dataLoader.ray_utils import dda, get_rays, ndc_rays_blender, ray_marcher, sample_pdf
from models.tensoRF import TensorCP, TensorVM, TensorVMSplit, raw2alpha
from renderer import OctreeRender_trilinear_fast
from train import SimpleSampler
from utils import N_to_reso, TVLoss, cal_n_samples

DEVICE = torch.device("cpu")
BOX = [[-1.5, -1.2, -1.0], [1.5, 1.2, 1.0]]
COMMON = dict(
    near_far=[2.0, 6.0], density_shift=0.0, alphaMask_thres=0.15, distance_scale=2.0, step_ratio=1.0
)
SMALL = dict(pos_pe=2, view_pe=2, fea_pe=2, featureC=12)


def build():
    box = torch.tensor(BOX)
    grid = N_to_reso(8**3, box)
    nets = (
        TensorVMSplit(
            box, grid, DEVICE, density_n_comp=[4, 2, 2], appearance_n_comp=[6, 3, 3], app_dim=7,
            shadingMode="MLP_Fea", **COMMON, **SMALL,
        ),
        TensorCP(
            box, grid, DEVICE, density_n_comp=[6], appearance_n_comp=[8], app_dim=5, shadingMode="MLP",
            fea2denseAct="relu", **{**COMMON, "density_shift": 0.6}, **SMALL,
        ),
        TensorVMSplit(
            box, grid, DEVICE, density_n_comp=[2, 2, 2], appearance_n_comp=[3, 3, 3], app_dim=27, shadingMode="SH",
            **COMMON, **SMALL,
        ),
        TensorVM(
            box, [6, 6, 6], DEVICE, density_n_comp=3, appearance_n_comp=4, app_dim=3, shadingMode="RGB", **COMMON, **SMALL,
        ),
    )  # fmt: skip
    with torch.no_grad():
        for line in nets[1].app_line:
            line.mul_(6.0)  # products of three small numbers have gradients that are rounding alone
    return nets


class Rays:
    """What a dataset of the repository offers: rays of cameras that look at the box, and colours."""

    def __init__(self, seed, count=80):
        rng = np.random.RandomState(seed)
        origins = rng.randn(count, 3).astype(np.float32)
        origins = 4.0 * origins / np.linalg.norm(origins, axis=-1, keepdims=True)
        targets = rng.uniform(-1.0, 1.0, (count, 3)).astype(np.float32)
        directions = targets - origins
        directions = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
        self.all_rays = torch.from_numpy(np.concatenate([origins, directions], 1).astype(np.float32))
        self.all_rgbs = torch.from_numpy(rng.rand(count, 3).astype(np.float32))
        self.white_bg, self.near_far = True, COMMON["near_far"]


def render(net, rays, **options):
    rgb, _, depth, _, _ = OctreeRender_trilinear_fast(rays, net, chunk=32, device=DEVICE, **options)
    return torch.cat([rgb, depth[:, None]], -1)


def forward(split, cp, harmonics, whole):
    data = Rays(0)
    rays = data.all_rays
    rng = np.random.RandomState(1)
    values = torch.from_numpy(rng.rand(6, 9).astype(np.float32))
    bins = torch.from_numpy(np.sort(rng.rand(6, 10).astype(np.float32), -1))
    pose = torch.from_numpy(rng.randn(3, 4).astype(np.float32))
    field = torch.from_numpy(rng.randn(4, 5, 3).astype(np.float32))

    def masked():
        box = split.updateAlphaMask((7, 8, 9))
        drawn = render(split, rays[:20])
        split.alphaMask = None
        return torch.cat([drawn.reshape(-1), box.reshape(-1)])

    def kept():
        bounded, _ = split.filtering_rays(rays, data.all_rgbs, chunk=32, bbox_only=True)
        split.updateAlphaMask((6, 6, 6))
        seen, colours = split.filtering_rays(rays, data.all_rgbs, N_samples=20, chunk=32)
        split.alphaMask = None
        return torch.cat([bounded.mean(0), seen.mean(0), colours.mean(0)])

    with torch.no_grad():
        return {
            "split": lambda: render(split, rays, N_samples=24),
            "split_usual": lambda: render(split, rays, white_bg=False),
            "cp": lambda: render(cp, rays, N_samples=24),
            "harmonics": lambda: render(harmonics, rays, N_samples=24),
            "ndc": lambda: render(split, rays, ndc_ray=True, N_samples=16),
            "features": lambda: whole.compute_appfeature(field.view(-1, 3) / 3),
            "density": lambda: whole.compute_densityfeature(field.view(-1, 3) / 3),
            "whole": lambda: render(whole, rays, N_samples=12),
            "alpha": lambda: cp.getDenseAlpha((4, 5, 6))[0],
            "masked": masked,
            "kept": kept,
            "raw": lambda: torch.cat(raw2alpha(values, values + 0.5), -1),
            "rays": lambda: torch.cat(get_rays(field, pose), -1),
            "ndc_rays": lambda: torch.cat(ndc_rays_blender(8, 9, 5.0, 1.0, rays[:, :3], rays[:, 3:]), -1),
            "pdf": lambda: sample_pdf(bins, values, 7, det=True),
            "dda": lambda: torch.cat(dda(rays[:, :3], rays[:, 3:], torch.tensor(BOX)), -1),
            "march": lambda: ray_marcher(torch.cat([rays, torch.ones(80, 1), 4 * torch.ones(80, 1)], -1), 5)[
                0
            ],
            "resolution": lambda: np.array(N_to_reso(20**3, torch.tensor(BOX))),
            "variation": lambda: split.TV_loss_density(TVLoss()) + split.TV_loss_app(TVLoss()),
            "orthogonal": lambda: split.vector_comp_diffs() + split.density_L1() + cp.density_L1(),
        }


def reconstruct(net, n_iters, with_planes, mask_at, grow_at):
    """The loop of reconstruction() in train.py, without jittered samples."""
    data = Rays(2, 120)
    grid = N_to_reso(8**3, net.aabb)
    n_samples = min(1e6, cal_n_samples(grid, 1.0))
    optimizer = torch.optim.Adam(net.get_optparam_groups(0.02, 1e-3), betas=(0.9, 0.99))
    factor = 0.1 ** (1 / n_iters)
    rays, colours = net.filtering_rays(data.all_rays, data.all_rgbs, bbox_only=True)
    np.random.seed(0)
    sampler = SimpleSampler(rays.shape[0], 40)
    variation, weight = TVLoss(), 0.1
    losses = []
    for iteration in range(n_iters):
        index = sampler.nextids()
        rgb_map, _, _, _, _ = OctreeRender_trilinear_fast(
            rays[index], net, chunk=40, N_samples=n_samples, white_bg=data.white_bg, device=DEVICE
        )
        loss = torch.mean((rgb_map - colours[index].to(DEVICE)) ** 2)
        total_loss = loss
        if with_planes:
            total_loss += 0.01 * net.vector_comp_diffs()
        total_loss += 1e-3 * net.density_L1()
        weight *= factor
        if with_planes:
            total_loss = total_loss + net.TV_loss_density(variation) * weight
            total_loss = total_loss + net.TV_loss_app(variation) * weight

        optimizer.zero_grad()
        total_loss.backward()
        optimizer.step()
        losses.append(loss.detach().item())
        for param_group in optimizer.param_groups:
            param_group["lr"] = param_group["lr"] * factor

        if iteration == mask_at:
            net.alphaMask_thres = 0.97 * net.getDenseAlpha(tuple(grid))[0].max().item()
            new_aabb = net.updateAlphaMask(tuple(grid))
            net.shrink(new_aabb)
            rays, colours = net.filtering_rays(rays, colours, N_samples=n_samples)
            sampler = SimpleSampler(colours.shape[0], 20)
            optimizer = torch.optim.Adam(net.get_optparam_groups(0.02, 1e-3), betas=(0.9, 0.99))
        if iteration == grow_at:
            grid = N_to_reso(10**3, net.aabb)
            n_samples = min(1e6, cal_n_samples(grid, 1.0))
            net.upsample_volume_grid(grid)
            optimizer = torch.optim.Adam(net.get_optparam_groups(0.02, 1e-3), betas=(0.9, 0.99))
    return losses


def train(split, cp, harmonics, whole):
    results = {
        "split": reconstruct(split, 5, True, 1, 3),
        "cp": reconstruct(cp, 5, False, 1, 3),
        "harmonics": reconstruct(harmonics, 3, True, -1, -1),
    }
    for name, net in (("split", split), ("cp", cp)):
        net.save(name + ".th")
        checkpoint = torch.load(name + ".th", map_location=DEVICE, weights_only=False)
        kwargs = checkpoint["kwargs"]
        kwargs.update({"device": DEVICE})
        again = type(net)(**kwargs)
        again.load(checkpoint)
        if name == "split":  # first samples lie on the faces of the box: whether they are in it may be rounding
            again.shrink(again.aabb + torch.tensor([[0.1], [-0.1]]))
        results[name + "_again"] = render(again, Rays(3).all_rays, N_samples=16).detach()
        results[name + "_size"] = np.array(again.gridSize.tolist() + [again.nSamples])
        results[name + "_line"] = net.density_line[0]
        results[name + "_basis"] = net.basis_mat.weight
        results[name + "_render"] = net.renderModule.mlp[0].weight
    results["plane"] = harmonics.app_plane[1]
    return results
