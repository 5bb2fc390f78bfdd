import numpy as np
import torch
from torch.cuda.amp import GradScaler, autocast

from performer_pytorch import AutoregressiveWrapper, Performer, PerformerEncDec, PerformerLM
from performer_pytorch.performer_pytorch import gaussian_orthogonal_random_matrix

TOKENS, SOURCE, TARGET = 18, 8, 17


def build():
    enc_dec = PerformerEncDec(
        dim=16, enc_num_tokens=TOKENS, enc_depth=1, enc_heads=2, enc_dim_head=8, enc_max_seq_len=SOURCE,
        enc_nb_features=12, dec_num_tokens=TOKENS, dec_depth=2, dec_heads=2, dec_dim_head=8, dec_max_seq_len=TARGET,
        dec_nb_features=12,
    )  # fmt: skip
    lm = AutoregressiveWrapper(
        PerformerLM(
            num_tokens=TOKENS, max_seq_len=TARGET, dim=16, depth=2, heads=2, dim_head=8, causal=True, nb_features=12,
            use_scalenorm=True, ff_glu=True, shift_tokens=True, tie_embed=True, rotary_position_emb=False, ff_chunks=2,
        )
    )  # fmt: skip
    general = Performer(
        dim=16, depth=2, heads=2, dim_head=8, generalized_attention=True, nb_features=12, use_rezero=True
    )
    reversible = torch.nn.Sequential(
        torch.nn.Linear(16, 16),
        Performer(dim=16, depth=2, heads=2, dim_head=8, nb_features=12, reversible=True),
    )
    return enc_dec, lm, general, reversible


def init():
    torch.manual_seed(1)
    return {"projection": gaussian_orthogonal_random_matrix(40, 16)}


def batch(seed):
    rng = np.random.RandomState(seed)
    src = rng.randint(2, TOKENS, (4, SOURCE))
    tgt = np.concatenate([np.ones((4, 1), "int64"), src, src], 1)
    src, tgt = torch.from_numpy(src), torch.from_numpy(tgt)
    return src, tgt, torch.ones(4, SOURCE).bool(), torch.ones(4, TARGET).bool()


def forward(enc_dec, lm, general, reversible):
    for net in (enc_dec, lm, general, reversible):
        net.eval()
    src, tgt, src_mask, tgt_mask = batch(0)
    x = torch.from_numpy(np.random.RandomState(1).randn(2, 8, 16).astype("float32"))
    mask = torch.from_numpy(np.arange(8)[None] < np.array([[5], [8]]))
    return {
        "encoded": lambda: enc_dec.enc(src, mask=src_mask, return_encodings=True),
        "enc_dec": lambda: enc_dec(src, tgt, enc_mask=src_mask, dec_mask=tgt_mask),
        "lm": lambda: lm.net(tgt[:, :-1]),
        "lm_loss": lambda: lm(tgt),
        "general": lambda: general(x, mask=mask),
        "reversible": lambda: reversible(x),
        # The likeliest token: nothing is left to chance.
        "generated": lambda: lm.generate(tgt[:, :3], 4, filter_thres=0.94),
        "generated_one": lambda: lm.generate(tgt[0, :3], 3, filter_thres=0.94, repetition_penalty=1.3),
    }


def trained(net, loss_of):
    optim = torch.optim.Adam(net.parameters(), lr=0.002)
    scaler = GradScaler()
    losses = []
    for i in range(3):
        net.train()
        with autocast():
            loss = loss_of(i)
        scaler.scale(loss).backward()
        losses.append(loss.item())
        scaler.step(optim)
        scaler.update()
        optim.zero_grad()
    return losses


def copied(net, seed):
    src, tgt, src_mask, tgt_mask = batch(seed)
    return net(src, tgt, enc_mask=src_mask, dec_mask=tgt_mask)


def squares(net, seed):
    rng = np.random.RandomState(seed)
    x, y = (torch.from_numpy(rng.randn(2, 8, 16).astype("float32")) for _ in range(2))
    return ((net(x) - y) ** 2).mean()


def train(enc_dec, lm, general, reversible):
    return {
        "enc_dec": lambda: [
            *trained(enc_dec, lambda i: copied(enc_dec, i)),
            enc_dec.enc.token_emb.weight,
            enc_dec.enc.performer.proj_updater.calls_since_last_redraw,
        ],
        "lm": lambda: [*trained(lm, lambda i: lm(batch(i)[1])), lm.net.token_emb.weight],
        "general": lambda: trained(general, lambda i: squares(general, i)),
        "reversible": lambda: [
            *trained(reversible, lambda i: squares(reversible, i)),
            list(reversible.parameters())[0],
        ],
    }
