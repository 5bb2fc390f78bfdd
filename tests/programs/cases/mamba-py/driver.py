import numpy as np
import torch
import torch.nn.functional as F

from mambapy.jamba import JambaLM, JambaLMConfig
from mambapy.lm import LM
from mambapy.mamba import MambaBlock, MambaConfig
from mambapy.pscan import pscan
from mambapy.vim import MambaConfig as VimConfig
from mambapy.vim import VMamba

WORDS, LENGTH = 29, 11


def build():
    parallel = LM(MambaConfig(d_model=16, n_layers=2, d_state=4), WORDS, pad_vocab_size_multiple=8)
    sequential = LM(
        MambaConfig(d_model=16, n_layers=1, d_state=4, pscan=False, bias=True, inner_layernorms=True), WORDS
    )
    wide = LM(MambaConfig(d_model=16, n_layers=1, d_state=4, mup=True, mup_base_width=8), WORDS)
    jamba = JambaLM(
        JambaLMConfig(
            d_model=16, n_layers=4, mlp_size=24, d_state=4, num_attention_heads=4, num_key_value_heads=2, num_experts=3,
            attn_layer_offset=1, attn_layer_period=2, vocab_size=WORDS,
        )
    )  # fmt: skip
    vision = VMamba(VimConfig(d_model=8, n_layers=1, d_state=4))
    return parallel, sequential, wide, jamba, vision


def init():
    torch.manual_seed(1)
    block = MambaBlock(MambaConfig(d_model=32, n_layers=1))
    model = LM(MambaConfig(d_model=32, n_layers=2), 200)
    return {
        "embedding": model.embedding.weight,
        "dt": block.dt_proj.bias,
        "a": block.A_log,
        "out": model.mamba.layers[0].mixer.out_proj.weight,
    }


def tokens(seed, length=LENGTH):
    return torch.from_numpy(np.random.RandomState(seed).randint(1, WORDS, (2, length)))


def inputs(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def scanned(length):
    return pscan(torch.sigmoid(inputs(0, 2, length, 3, 4)), inputs(1, 2, length, 3, 4))


def scan_gradients(length):
    """The gradients that the scan's own backward pass gives."""
    a = torch.nn.Parameter(inputs(0, 2, length, 3, 4))
    x = torch.nn.Parameter(inputs(1, 2, length, 3, 4))
    optimizer = torch.optim.SGD([a, x], lr=0.1)
    optimizer.zero_grad()
    loss = (pscan(torch.sigmoid(a), x) * inputs(2, 2, length, 3, 4)).sum()
    loss.backward()
    optimizer.step()
    return torch.cat([a.detach().flatten(), x.detach().flatten()])


def stepped(model):
    """Token by token, with what each layer keeps."""
    config = model.config
    caches = [(None, torch.zeros(2, config.d_inner, config.d_conv - 1)) for _ in range(config.n_layers)]
    outputs = []
    for place in range(5):
        x, caches = model.mamba.step(model.embedding(tokens(4)[:, place]), caches)
        outputs.append(model.lm_head(model.norm_f(x)))
    return torch.stack(outputs, 1)


def forward(parallel, sequential, wide, jamba, vision):
    for net in (parallel, sequential, wide, jamba, vision):
        net.eval()
    return {
        "parallel": lambda: parallel(tokens(0)),
        "power_of_two": lambda: parallel(tokens(1, 16)),
        "sequential": lambda: sequential(tokens(0)),
        "wide": lambda: wide(tokens(2)),
        "jamba": lambda: jamba(tokens(3))[0],
        "vision": lambda: vision(inputs(3, 2, 9, 8)),
        "scan8": lambda: scanned(8),
        "scan5": lambda: scanned(5),
        "scan2": lambda: scanned(2),
        "scan13": lambda: scanned(13),
        "scan32": lambda: scanned(32),
        "stepped": lambda: stepped(parallel),
        "generated": lambda: parallel.generate(tokens(5, 4), 4, sample=False),
    }


def train(parallel, sequential, wide, jamba, vision):
    result = {"scan5": scan_gradients(5), "scan16": scan_gradients(16), "scan23": scan_gradients(23)}
    for name, model in (("parallel", parallel), ("sequential", sequential), ("wide", wide)):
        optimizer = model.configure_optimizers(0.1, 1e-3, (0.9, 0.95), "cpu")
        model.train()
        losses = []
        for step in range(4):
            x, y = tokens(10 + step), tokens(11 + step)
            logits = model(x)
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), y.view(-1), ignore_index=-1)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses += [loss.item(), float(norm)]
        mixer = model.mamba.layers[0].mixer
        result.update({
            name + "_losses": losses, name + "_a": mixer.A_log, name + "_dt": mixer.dt_proj.bias,
            name + "_conv": mixer.conv1d.weight, name + "_embedding": model.embedding.weight,
        })  # fmt: skip
    optimizer = torch.optim.AdamW(jamba.parameters(), lr=1e-3)
    jamba.train()
    losses = []
    for step in range(3):
        logits, router_logits = jamba(tokens(20 + step))
        loss = F.cross_entropy(logits.reshape(-1, WORDS), tokens(21 + step).reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    result["jamba_losses"] = losses
    result["jamba_embedding"] = jamba.embedding.weight
    optimizer = torch.optim.Adam(vision.parameters(), lr=1e-3)
    losses = []
    for step in range(3):
        optimizer.zero_grad()
        loss = (vision(inputs(30 + step, 2, 9, 8)) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    result["vision_losses"] = losses
    result["vision_d"] = vision.layers[0].mixer.D
    return result


# After first sight longer scans were added, and their gradients were moved to train, by parameters: for tensors with
# requires_grad a backward pass that writes through views goes wrong in recorded programs.
