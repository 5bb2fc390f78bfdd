import contextlib
import io
import os
import re
import sys
from types import SimpleNamespace

import numpy as np
import scipy.io as scio
import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "PDE-Solving-StandardBenchmark"))

OPTIONS = ["--n-hidden", "16", "--n-layers", "2", "--n-heads", "2", "--epochs", "2", "--slice_num", "6", "--lr", "2e-3"]
sys.argv = ["exp.py", *OPTIONS, "--data_path", "made", "--batch-size", "2", "--ntrain", "6", "--max_grad_norm", "0.1",
            "--downsample", "3", "--unified_pos", "1", "--ref", "4"]  # fmt: skip

import exp_darcy  # noqa: E402
import exp_elas  # noqa: E402

sys.argv = ["exp.py", *OPTIONS, "--data_path", "made/plas.mat", "--batch-size", "2", "--max_grad_norm", "0.1"]

import exp_plas  # noqa: E402
from model.Embedding import PositionalEncoding, RotaryEmbedding, apply_2d_rotary_pos_emb  # noqa: E402
from model_dict import get_model  # noqa: E402
from utils.normalizer import UnitGaussianNormalizer, UnitTransformer  # noqa: E402
from utils.testloss import TestLoss  # noqa: E402


def made(name, **options):
    kinds = SimpleNamespace(model="Transolver_" + name)
    return get_model(kinds).Model(n_layers=2, n_hidden=16, n_head=2, slice_num=6, mlp_ratio=1, **options)


def build():
    darcy = made("Structured_Mesh_2D", space_dim=2, fun_dim=1, ref=4, unified_pos=1, H=8, W=8)
    plas = made("Structured_Mesh_2D", space_dim=2, fun_dim=1, out_dim=4, Time_Input=True, H=7, W=5)
    elas = made("Irregular_Mesh", space_dim=2, fun_dim=0, ref=4, unified_pos=1)
    cube = made("Structured_Mesh_3D", space_dim=3, fun_dim=2, out_dim=3, H=4, W=3, D=2, act="silu")
    return darcy, plas, elas, cube


def init():
    torch.manual_seed(0)
    kinds = SimpleNamespace(model="Transolver_Structured_Mesh_2D")
    net = get_model(kinds).Model(space_dim=2, n_layers=1, n_hidden=256, n_head=4, fun_dim=1)
    return {
        "placeholder": net.placeholder,
        "slice": net.blocks[0].Attn.in_project_slice.weight,
        "conv": net.blocks[0].Attn.in_project_x.weight,
        "mlp": net.preprocess.linear_pre[0].weight,
    }


def values(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def forward(darcy, plas, elas, cube):
    for net in (darcy, plas, elas, cube):
        net.eval()
    loss, mean = TestLoss(size_average=False), TestLoss()
    rotary = RotaryEmbedding(8)
    x_freqs, y_freqs = rotary(values(5, 2, 6), "cpu"), rotary(values(6, 2, 6), "cpu")
    normalizer = UnitGaussianNormalizer(values(7, 3, 5, 2))
    unit = UnitTransformer(values(8, 3, 5, 2))
    rows, steps = values(9, 3, 5, 2), [values(10 + i, 2, 3) for i in range(3)]
    return {
        "darcy": darcy(values(0, 2, 64, 2), values(1, 2, 64, 1)),
        "plas": plas(values(0, 2, 35, 2), values(1, 2, 35, 1), T=torch.tensor([[0.0], [0.5]])),
        "elas": elas(values(2, 2, 11, 2), None),
        "cube": cube(values(3, 2, 24, 3), values(4, 2, 24, 2)),
        "rotary": lambda: apply_2d_rotary_pos_emb(values(7, 2, 6, 16), x_freqs, y_freqs),
        "positions": lambda: PositionalEncoding(6, 0.0, max_len=9)(values(8, 2, 5, 6)),
        "rel": lambda: loss(steps[0], steps[1]) + mean(steps[1], steps[2]),
        "abs": lambda: mean.abs(steps[0], steps[2]),
        "encoded": lambda: normalizer.decode(normalizer.encode(rows) + 1),
        "decoded": lambda: normalizer.decode(rows[:, [0, 2]], sample_idx=torch.tensor([0, 2])),
        "unit": lambda: unit.transform(unit.transform(rows, inverse=False) * 2),
        "gradients": lambda: exp_darcy.central_diff(values(9, 2, 64, 1), 1.0 / 8, 8)[1],
        "count": lambda: torch.tensor(float(exp_plas.count_parameters(plas))),
        "collated": lambda: exp_plas.random_collate_fn(
            [(values(i, 4, 2), torch.arange(3.0) + i, values(i, 4, 1), values(20 + i, 4, 2, 3)) for i in range(2)]
        )[3],
    }


def data():
    rng = np.random.RandomState(0)
    os.makedirs("made/elasticity/Meshes", exist_ok=True)
    for number, count in ((1, 6), (2, 4)):
        coeff = (rng.rand(count, 22, 22) > 0.5).astype("float64") * 9 + 3
        scio.savemat(
            "made/piececonst_r421_N1024_smooth%d.mat" % number,
            {"coeff": coeff, "sol": (0.1 * rng.rand(count, 22, 22)).astype("float32")},
        )
    np.save("made/elasticity/Meshes/Random_UnitCell_sigma_10.npy", 50 * rng.rand(11, 10))
    np.save("made/elasticity/Meshes/Random_UnitCell_XY_10.npy", rng.rand(11, 2, 10))
    scio.savemat("made/plas.mat", {"input": rng.rand(6, 7), "output": rng.rand(6, 7, 5, 3, 4)})


def trained(script, net):
    """What the script prints when its model is the given one."""
    script.get_model = lambda args: SimpleNamespace(Model=lambda **options: net)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        script.main()
    found = [float(word) for word in re.findall(r": *(\d+\.\d+)", printed.getvalue())]
    assert len(found) >= 4, printed.getvalue()
    return found


def train(darcy, plas, elas, cube):
    data()
    result = {
        "darcy_losses": trained(exp_darcy, darcy),
        "elas_losses": trained(exp_elas, elas),
        "plas_losses": trained(exp_plas, plas),
        "darcy_temperature": darcy.blocks[1].Attn.temperature,
        "darcy_slice": darcy.blocks[0].Attn.in_project_slice.weight,
        "elas_query": elas.blocks[0].Attn.to_q.weight,
        "plas_time": plas.time_fc[0].weight,
    }
    saved = torch.load("checkpoints/plas_Transolver.pt")
    result["plas_saved"] = saved["blocks.1.mlp2.weight"]
    optimizer = torch.optim.AdamW(cube.parameters(), lr=1e-3, weight_decay=1e-5)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-3, epochs=2, steps_per_epoch=2)
    loss, losses = TestLoss(size_average=False), []
    for step in range(4):
        optimizer.zero_grad()
        found = loss(cube(values(step, 2, 24, 3), values(step + 1, 2, 24, 2)), values(step + 2, 2, 24, 3))
        found.backward()
        optimizer.step()
        schedule.step()
        losses.append(found.item())
    result["cube_losses"] = losses
    result["cube"] = cube.blocks[0].Attn.in_project_fx.weight
    return result
