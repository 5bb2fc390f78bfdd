import numpy as np
import torch
import torch.nn.functional as F

from linformer import Linformer, LinformerLM, LinformerSelfAttention
from linformer.linformer import FeedForward, init_
from linformer.reversible import layer_drop, route_args

TOKENS, LENGTH = 20, 12


def build():
    return (
        LinformerLM(TOKENS, 16, LENGTH, 2, k=4, heads=2, dim_head=6, one_kv_head=True, reversible=True),
        LinformerLM(TOKENS, 16, LENGTH, 2, k=4, heads=4),
        Linformer(dim=8, seq_len=LENGTH, depth=2, k=3, heads=2, one_kv_head=True, share_kv=True),
        LinformerSelfAttention(dim=8, seq_len=2 * LENGTH, heads=2, k=3, one_kv_head=True, share_kv=True),
        FeedForward(8, glu=True),
    )


def init():
    torch.manual_seed(0)
    net = build()[1]
    attention = net.linformer.net.layers[0][0].fn
    return {"projection": attention.proj_k, "query": attention.to_q.weight, "table": init_(torch.zeros(40, 30))}


def tokens(seed, length=LENGTH):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, TOKENS, (3, length)))


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(reversible, plain, encoder, attention, feed):
    for net in (reversible, plain, encoder, attention, feed):
        net.eval()
    return {
        "reversible": lambda: reversible(tokens(0)),
        "plain": plain(tokens(1)),
        "shorter": plain(tokens(2, 7)),
        "encoder": encoder(numbers(3, 2, LENGTH, 8)),
        "attention": attention(numbers(4, 2, 5, 8)),
        "context": attention(numbers(5, 2, 5, 8), numbers(6, 2, 2 * LENGTH, 8)),
        "gated": feed(numbers(7, 2, 3, 8)),
        "routed": lambda: [len(a) + 2 * len(b) for a, b in route_args({"m": [(True, False)] * 3}, {"m": 1, "n": 2}, 3)],
        "dropped": lambda: [len(layer_drop(list("abcd"), 0.0)), len(layer_drop(list("abcd"), 1.0))],
    }


def trained(net, length):
    net.train()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    losses = []
    for step in range(4):
        batch = tokens(20 + step, length)
        loss = F.cross_entropy(net(batch[:, :-1]).transpose(1, 2), batch[:, 1:])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def train_reversible(net):
    losses = trained(net, LENGTH)
    block = net.linformer.net.blocks[0]
    return [losses, block.f.net.fn.proj_k, block.g.net.fn.w1.weight, net.token_emb.weight, net.to_logits.bias]


def train(reversible, plain, encoder, attention, feed):
    losses = trained(plain, LENGTH)
    layer = plain.linformer.net.layers[1]
    modules = torch.nn.ModuleList([encoder, attention, feed])
    optimizer = torch.optim.SGD(modules.parameters(), lr=0.1, momentum=0.9)
    for step in range(3):
        x = numbers(30 + step, 2, LENGTH, 8)
        loss = F.mse_loss(feed(attention(encoder(x), x)), x.flip(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "projection": layer[0].fn.proj_v,
        "shared": attention.proj_k,
        "norm": layer[1].norm.weight,
        "position": plain.pos_emb.weight,
        "reversible": lambda: train_reversible(reversible),
    }
