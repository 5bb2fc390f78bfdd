import numpy as np
import torch
import torch.nn.functional as F
from torch.optim import Adam

from einops import rearrange, repeat

from egnn_pytorch import EGNN, EGNN_Network
from egnn_pytorch.utils import rot

GRADIENT_ACCUMULATE_EVERY = 2


def build():
    denoise = EGNN_Network(
        num_tokens=7, num_positions=30, depth=3, dim=8, num_nearest_neighbors=4, fourier_features=2, norm_coors=True,
        coor_weights_clamp_value=2.0,
    )  # fmt: skip
    edges = EGNN_Network(
        num_tokens=7, num_edge_tokens=5, edge_dim=4, num_adj_degrees=3, adj_dim=3, depth=3, dim=8, only_sparse_neighbors=True,
        global_linear_attn_every=2, global_linear_attn_heads=2, global_linear_attn_dim_head=4, m_pool_method="mean",
    )  # fmt: skip
    plain = EGNN(dim=8, edge_dim=4, soft_edges=True, init_eps=0.1)
    return denoise, edges, plain


def init():
    torch.manual_seed(1)
    net = EGNN_Network(num_tokens=21, depth=2, dim=32, global_linear_attn_every=2)
    return {
        "tokens": net.token_emb.weight,
        "global": net.global_tokens,
        "attention": net.layers[0][0].attn1.to_kv.weight,
        "edge": net.layers[1][1].edge_mlp[0].weight,
        "node": net.layers[0][1].node_mlp[3].weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def tokens(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, 5, shape))


def chain(n):
    i = torch.arange(n)
    return (i[:, None] >= (i[None, :] - 1)) & (i[:, None] <= (i[None, :] + 1))


def turned(net):
    """Turning the coordinates turns what comes out."""
    turn = rot(*(torch.tensor([0.3, -0.4, 0.9])))
    feats, coors, shift = array(10, 1, 6, 8), array(11, 1, 6, 3), array(12, 1, 1, 3)
    edges = array(13, 1, 6, 6, 4)
    one, moved = net(feats, coors @ turn + shift, edges)
    other, still = net(feats, coors, edges)
    return [float((one - other).abs().max() < 1e-4), float((moved - (still @ turn + shift)).abs().max() < 1e-4), turn]


def forward(denoise, edges, plain):
    for one in (denoise, edges, plain):
        one.eval()
    mask = torch.ones(2, 9).bool()
    mask[1, 6:] = False
    return {
        "denoise": lambda: denoise(tokens(0, 2, 9), array(1, 2, 9, 3), mask=mask),
        "chain": lambda: denoise(tokens(0, 2, 9), array(1, 2, 9, 3), adj_mat=chain(9), mask=mask),
        "edges": lambda: edges(tokens(2, 2, 8), array(3, 2, 8, 3), edges=tokens(4, 2, 8, 8), adj_mat=chain(8)),
        "changes": lambda: edges(
            tokens(2, 2, 9), array(3, 2, 9, 3), edges=tokens(4, 2, 9, 9), adj_mat=chain(9), mask=mask, return_coor_changes=True
        )[2],
        "plain": lambda: plain(array(5, 2, 7, 8), array(6, 2, 7, 3), array(7, 2, 7, 7, 4)),
        "masked": lambda: plain(array(5, 2, 9, 8), array(6, 2, 9, 3), array(7, 2, 9, 9, 4), mask=mask),
        "turned": lambda: turned(plain),
        "layers": lambda: [len(layer) for layer in edges.layers],
    }


def batches():
    step = 0
    while True:
        masks = torch.ones(1, 6).bool()
        masks[:, 5] = step % 2 == 0
        yield F.one_hot(tokens(20 + step, 1, 6), 7), array(40 + step, 1, 6 * 14, 3), masks
        step += 1


def train(denoise, edges, plain):
    """denoise_sparse.py on made-up chains."""
    losses, dl = [], batches()
    optim = Adam(denoise.parameters(), lr=1e-3)
    for _ in range(3):
        for _ in range(GRADIENT_ACCUMULATE_EVERY):
            seqs, coords, masks = next(dl)
            seqs = seqs.argmax(dim=-1)
            coords = rearrange(coords, "b (l s) c -> b l s c", s=14)
            coords = coords[:, :, 0:3, :]
            coords = rearrange(coords, "b l s c -> b (l s) c")
            seq = repeat(seqs, "b n -> b (n c)", c=3)
            masks = repeat(masks, "b n -> b (n c)", c=3)
            i = torch.arange(seq.shape[-1], device=seq.device)
            adj_mat = (i[:, None] >= (i[None, :] - 1)) & (i[:, None] <= (i[None, :] + 1))
            noised_coords = coords + 0.3 * torch.sin(9.0 * coords)
            feats, denoised_coords = denoise(seq, noised_coords, adj_mat=adj_mat, mask=masks)
            loss = F.mse_loss(denoised_coords[masks], coords[masks])
            (loss / GRADIENT_ACCUMULATE_EVERY).backward()
        losses.append(loss.item())
        optim.step()
        optim.zero_grad()
    optim = Adam(edges.parameters(), lr=1e-3)
    for step in range(3):
        feats, coors = edges(tokens(60 + step, 2, 8), array(61 + step, 2, 8, 3), edges=tokens(62, 2, 8, 8), adj_mat=chain(8))
        loss = (feats**2).mean() + (coors - 1.0).abs().mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "tokens": denoise.token_emb.weight,
        "positions": denoise.pos_emb.weight[:18],
        "scale": denoise.layers[1][1].coors_norm.scale,
        "edge": denoise.layers[0][1].edge_mlp[0].weight,
        "coors": denoise.layers[2][1].coors_mlp[3].weight,
        "global": edges.global_tokens,
        "adjacent": edges.adj_emb.weight,
        "attention": edges.layers[2][0].attn2.to_kv.weight,
    }
