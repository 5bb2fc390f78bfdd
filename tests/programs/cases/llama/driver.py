import json
import math
import os

import numpy as np
import torch
import torch.nn.functional as F

import llama.generation
from llama.generation import Llama, sample_top_p
from llama.model import ModelArgs, Transformer, apply_rotary_emb, precompute_freqs_cis, repeat_kv

WORDS, WIDTH, LENGTH = 40, 32, 16
SETTINGS = dict(dim=WIDTH, n_layers=2, n_heads=4, n_kv_heads=2, multiple_of=8, ffn_dim_multiplier=1.3, norm_eps=1e-5)


class Letters:
    """A tokenizer that knows single letters."""

    n_words, bos_id, eos_id, pad_id = WORDS, 1, 2, -1

    def __init__(self, model_path=None):
        pass

    def encode(self, s, bos, eos):
        found = [3 + ord(letter) % (WORDS - 3) for letter in s]
        return [self.bos_id] * bos + found + [self.eos_id] * eos

    def decode(self, t):
        found = t if isinstance(t, list) else [t]
        return "".join(chr(ord("a") + word) for word in found)


llama.generation.Tokenizer = Letters


def arguments(**others):
    settings = dict(SETTINGS, vocab_size=WORDS, max_batch_size=3, max_seq_len=LENGTH)
    settings.update(others)
    return ModelArgs(**settings)


def build():
    return Transformer(arguments()), Transformer(arguments(n_kv_heads=None, ffn_dim_multiplier=None, n_layers=1))


def words(seed, count, length):
    return torch.from_numpy(np.random.RandomState(seed).randint(3, WORDS, (count, length)))


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def cached(net):
    whole = net(words(1, 2, 8), 0)
    first = net(words(1, 2, 8)[:, :5], 0)
    rest = [net(words(1, 2, 8)[:, place : place + 1], place) for place in range(5, 7)]
    return [whole, first, *rest, net(words(1, 2, 8)[:, 5:], 5), net.layers[0].attention.cache_k]


def parts():
    frequencies = precompute_freqs_cis(8, 12)
    queries, keys = apply_rotary_emb(numbers(1, 2, 6, 4, 8), numbers(2, 2, 6, 2, 8), frequencies[:6])
    probabilities = torch.softmax(numbers(3, 4, 9), -1)
    return [
        torch.view_as_real(frequencies), frequencies.abs(), queries, keys, repeat_kv(keys, 2),
        sample_top_p(probabilities, 1e-3),
    ]  # fmt: skip


def spoken(net):
    """Numbers for the texts that come out."""
    made = Llama(net, Letters())
    prompts = [[1, 5, 7], [1, 9, 30, 31, 6], [1, 12]]
    greedy, probabilities = made.generate(prompts, 6, temperature=0, logprobs=True)
    narrow, _ = made.generate(prompts[:2], 4, temperature=0.8, top_p=1e-4, echo=True)
    fixed = made.generate([[1, 4] * 8], 5, temperature=0, logprobs=True, echo=True)[1]
    completed = made.text_completion(["ab", "cde"], temperature=0, max_gen_len=3, logprobs=True)
    dialogs = [[{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]]
    wide = Llama(Transformer(arguments(max_seq_len=64)), Letters())
    wide.model.load_state_dict(net.state_dict(), strict=False)
    chat = wide.chat_completion(dialogs, temperature=0, max_gen_len=4)
    texts = [one["generation"] for one in completed] + [chat[0]["generation"]["content"]]
    return [
        np.array(sum(greedy, [])),
        np.array(sum(probabilities, [])),
        np.array(sum(narrow, [])),
        np.array(fixed),
        np.array(completed[0]["logprobs"]),
        np.array([ord(letter) for text in texts for letter in text]),
    ]


def loaded(net):
    os.makedirs("kept", exist_ok=True)
    torch.save(net.state_dict(), "kept/consolidated.00.pth")
    with open("kept/params.json", "w") as file:
        json.dump(SETTINGS, file)
    made = Llama.build("kept", "none", max_seq_len=LENGTH, max_batch_size=2)
    return made.model(words(5, 2, 6), 0)


def forward(net, plain):
    net.eval()
    plain.eval()
    return {
        "cached": lambda: cached(net),
        "plain": lambda: plain(words(2, 3, 9), 0),
        "parts": parts,
        "spoken": lambda: spoken(net),
        "loaded": lambda: loaded(net),
    }


def scores(net, tokens):
    """What the forward pass computes, with gradients."""
    hidden = net.tok_embeddings(tokens)
    length = tokens.shape[1]
    mask = torch.triu(torch.full((length, length), float("-inf")), diagonal=1).type_as(hidden)
    for layer in net.layers:
        layer.attention.cache_k = torch.zeros_like(layer.attention.cache_k)
        layer.attention.cache_v = torch.zeros_like(layer.attention.cache_v)
        hidden = layer(hidden, 0, net.freqs_cis[:length], mask)
    return net.output(net.norm(hidden)).float()


def tuned(net, steps):
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.1)
    losses = []
    for step in range(steps):
        tokens = words(10 + step, 3, 9)
        loss = F.cross_entropy(scores(net, tokens[:, :-1]).reshape(-1, WORDS), tokens[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * 0.5 * (1 + math.cos(math.pi * step / steps))
        optimizer.step()
        losses.append(loss.item())
    return losses


def train(net, plain):
    return {
        "losses": tuned(net, 4),
        "plain": tuned(plain, 3),
        "query": net.layers[0].attention.wq.weight,
        "value": net.layers[1].attention.wv.weight,
        "words": net.tok_embeddings.weight,
        "norm": net.norm.weight,
        "after": lambda: net(words(3, 2, 5), 0),
    }
