import numpy as np
import torch
from torch import distributions as dist
from torch import optim

from im2mesh.checkpoints import CheckpointIO
from im2mesh.common import compute_iou, make_3d_grid
from im2mesh.encoder.pointnet import ResnetPointnet
from im2mesh.encoder.voxels import VoxelEncoder
from im2mesh.onet.models import OccupancyNetwork, decoder_dict, encoder_latent_dict
from im2mesh.onet.training import Trainer

C, Z, HIDDEN, POINTS = 8, 4, 12, 24


def network(kind, z_dim, encoder):
    """What onet.config.get_model makes."""
    decoder = decoder_dict[kind](dim=3, z_dim=z_dim, c_dim=C, hidden_size=HIDDEN)
    latent, p0_z = None, dist.Normal(torch.zeros(z_dim), torch.ones(z_dim))
    if z_dim != 0:
        latent = encoder_latent_dict["simple"](dim=3, z_dim=z_dim, c_dim=C)
        # No randomness may decide a result: the deviations are next to nothing.
        latent.fc_logstd.weight.data.zero_()
        latent.fc_logstd.bias.data.fill_(-18.0)
    return OccupancyNetwork(decoder, encoder, latent, p0_z, device="cpu")


def build():
    return (
        network("cbatchnorm", 0, ResnetPointnet(c_dim=C, hidden_dim=HIDDEN)),
        network("simple", Z, ResnetPointnet(c_dim=C, hidden_dim=HIDDEN)),
    )


def batch(seed):
    rng = np.random.RandomState(seed)
    radius = rng.uniform(0.2, 0.4, (4, 1, 1))

    def inside(points):
        return torch.from_numpy((np.linalg.norm(points, axis=2) < radius[:, :, 0]).astype("float32"))

    def drawn(count):
        return rng.uniform(-0.5, 0.5, (4, count, 3)).astype("float32")

    points, other = drawn(POINTS), drawn(2 * POINTS)
    surface = drawn(16)
    surface *= (radius / np.linalg.norm(surface, axis=2, keepdims=True)).astype("float32")
    return {
        "points": torch.from_numpy(points),
        "points.occ": inside(points),
        "points_iou": torch.from_numpy(other),
        "points_iou.occ": inside(other),
        "inputs": torch.from_numpy(surface),
    }


def forward(plain, variational):
    data = batch(0)
    for net in (plain, variational):
        net.eval()
    c = plain.encode_inputs(data["inputs"])
    p_r = plain(data["points"], data["inputs"], sample=False)
    return {
        "c": c,
        "logits": p_r.logits,
        "probs": lambda: p_r.probs,
        "sampled": lambda: plain(data["points"], data["inputs"]).probs,
        "elbo": lambda: list(plain.compute_elbo(data["points"], data["points.occ"], data["inputs"])),
        "latent": lambda: variational.infer_z(data["points"], data["points.occ"], variational.encode_inputs(data["inputs"])).mean,
        "prior": lambda: variational(data["points"], data["inputs"], sample=False).logits,
        "grid": lambda: make_3d_grid((-0.5,) * 3, (0.5,) * 3, (2, 3, 2)),
        "iou": lambda: compute_iou(data["points.occ"].numpy(), data["points.occ"].numpy()),
    }


def trained(model, name):
    optimizer = optim.Adam(model.parameters(), lr=1e-4)
    trainer = Trainer(model, optimizer, device="cpu", input_type="pointcloud", vis_dir=None, threshold=0.5)
    checkpoint_io = CheckpointIO(name, model=model, optimizer=optimizer)
    values = [trainer.train_step(batch(10 + step)) for step in range(3)]
    checkpoint_io.save("model.pt", epoch_it=1, it=3, loss_val_best=0.5)
    values.append(trainer.train_step(batch(13)))
    kept = checkpoint_io.load("model.pt")
    values.append(trainer.train_step(batch(13)))
    evaluated = trainer.evaluate([batch(20), batch(21)])
    values += [kept["it"], kept["loss_val_best"], *(float(evaluated[key]) for key in ("loss", "rec_error", "kl", "iou"))]
    return values


def train(plain, variational):
    return {
        "values": trained(plain, "plain"),
        "encoder": plain.encoder.fc_pos.weight,
        "decoder": plain.decoder.fc_out.bias if hasattr(plain.decoder.fc_out, "bias") else plain.decoder.fc_p.weight,
        "variational": lambda: trained(variational, "variational")[:4],
    }
