from types import SimpleNamespace

import numpy as np
import torch
import torch.nn.functional as F

from whisper import decoding
from whisper.audio import log_mel_spectrogram, pad_or_trim
from whisper.decoding import DecodingOptions
from whisper.model import ModelDimensions, Whisper
from whisper.timing import dtw, find_alignment, median_filter

WORDS, FRAMES = 60, 40
SIZES = ModelDimensions(
    n_mels=80,
    n_audio_ctx=FRAMES // 2,
    n_audio_state=32,
    n_audio_head=4,
    n_audio_layer=2,
    n_vocab=WORDS,
    n_text_ctx=16,
    n_text_state=32,
    n_text_head=4,
    n_text_layer=2,
)


class Tokenizer:
    """Sixty tokens in place of tiktoken's fifty thousand."""

    eot, sot, transcribe, translate, sot_lm, sot_prev, no_speech, no_timestamps, timestamp_begin = range(41, 50)
    language = "en"
    sot_sequence = (42, 40, 43)
    sot_sequence_including_notimestamps = (42, 40, 43, 48)
    non_speech_tokens = (3, 5)
    encoding = SimpleNamespace(eot_token=41)

    def encode(self, text):
        return [7]

    def decode(self, tokens):
        return " ".join(str(token) for token in tokens)

    def split_to_word_tokens(self, tokens):
        return [str(token) for token in tokens], [[token] for token in tokens]


decoding.get_tokenizer = lambda *args, **kwargs: Tokenizer()


def build():
    torch.manual_seed(0)
    model = Whisper(SIZES)
    torch.nn.init.normal_(model.decoder.positional_embedding, std=0.02)
    return model


def sound(seed, count=FRAMES * 160):
    rng = np.random.RandomState(seed)
    time = np.arange(count) / 16000
    return (0.4 * np.sin(2 * np.pi * 440 * time * (1 + time)) + 0.05 * rng.randn(count)).astype(np.float32)


def heard(seed):
    return pad_or_trim(log_mel_spectrogram(sound(seed)), FRAMES)


def tokens(seed, length=10):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, 40, (2, length)))


def decoded(model, seeds=(1, 2), **options):
    options = DecodingOptions(language="en", fp16=False, sample_len=6, **options)
    results = model.decode(torch.stack([heard(seed) for seed in seeds]), options)
    lengths = [len(result.tokens) for result in results]
    said = [token for result in results for token in result.tokens]
    return np.array([*lengths, *said, *(result.avg_logprob for result in results)], dtype=np.float32)


def forward(model):
    model.eval()
    mel = torch.stack([heard(3), heard(4)])
    numbers = torch.from_numpy(np.random.RandomState(8).randn(3, 20).astype(np.float32))

    def aligned():
        found = find_alignment(model, Tokenizer(), [4, 9, 12], heard(5), FRAMES)
        return np.array([[word.start, word.end, word.probability] for word in found], dtype=np.float32)

    return {
        "mel": lambda: heard(0),
        "features": lambda: model.embed_audio(mel),
        "logits": lambda: model(mel, tokens(0)),
        "greedy": lambda: decoded(model, without_timestamps=True),
        "timestamps": lambda: decoded(model),
        "beams": lambda: decoded(model, (1,), beam_size=3, without_timestamps=True),
        "aligned": aligned,
        "median": lambda: median_filter(numbers, 5),
        "warped": lambda: np.array(dtw(numbers.double())),
    }


def train(model):
    """Fine-tuning as people do it: the repository has no trainer."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for step in range(3):
        mel = torch.stack([heard(10 + step), heard(20 + step)])
        words = tokens(30 + step)
        logits = model(mel, words[:, :-1])
        loss = F.cross_entropy(logits.transpose(1, 2), words[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "conv": model.encoder.conv1.weight,
        "query": model.decoder.blocks[1].cross_attn.query.weight,
        "places": model.decoder.positional_embedding,
    }
