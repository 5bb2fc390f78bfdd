from argparse import Namespace

import numpy as np
import torch
from loss_function import Tacotron2Loss
from model import Tacotron2

SYMBOLS, MELS, BATCH, LETTERS, FRAMES = 20, 6, 3, 9, 7


def hyperparameters():
    """Those of hparams.py, small, with the dropouts that can be set at 0."""
    return Namespace(
        mask_padding=True,
        fp16_run=False,
        n_mel_channels=MELS,
        n_symbols=SYMBOLS,
        symbols_embedding_dim=16,
        encoder_kernel_size=5,
        encoder_n_convolutions=3,
        encoder_embedding_dim=16,
        n_frames_per_step=1,
        decoder_rnn_dim=24,
        prenet_dim=8,
        max_decoder_steps=4,
        gate_threshold=0.99,
        p_attention_dropout=0.0,
        p_decoder_dropout=0.0,
        attention_rnn_dim=24,
        attention_dim=8,
        attention_location_n_filters=4,
        attention_location_kernel_size=5,
        postnet_embedding_dim=16,
        postnet_kernel_size=5,
        postnet_n_convolutions=5,
        learning_rate=1e-3,
        weight_decay=1e-6,
        grad_clip_thresh=1.0,
    )


def build():
    return Tacotron2(hyperparameters())


def batch(seed):
    """Texts by falling length and spectrograms, as TextMelCollate pads them."""
    random = np.random.RandomState(seed)
    text = random.randint(1, SYMBOLS, (BATCH, LETTERS))
    input_lengths = np.array([LETTERS, LETTERS - 2, LETTERS - 5])
    output_lengths = np.array([FRAMES - 1, FRAMES, FRAMES - 3])
    mels = random.randn(BATCH, MELS, FRAMES).astype("float32")
    gates = np.zeros((BATCH, FRAMES), dtype="float32")
    for row in range(BATCH):
        text[row, input_lengths[row] :] = 0
        mels[row, :, output_lengths[row] :] = 0
        gates[row, output_lengths[row] - 1 :] = 1
    return tuple(torch.from_numpy(values) for values in (text, input_lengths, mels, gates, output_lengths))


def silent(x):
    """The frames that are fed back as silence: the dropout of the prenet, which is never off, leaves zeros alone."""
    text, lengths, mels, max_len, output_lengths = x
    return text, lengths, torch.zeros_like(mels), max_len, output_lengths


def forward(model):
    model.eval()
    with torch.no_grad():
        x, _ = model.parse_batch(batch(0))
        mel_outputs, mel_outputs_postnet, gate_outputs, alignments = model(silent(x))
    return {
        "mel": mel_outputs,
        "postnet": mel_outputs_postnet,
        "gate": gate_outputs[:, : FRAMES - 3],  # none of these is masked
        "alignments": alignments,
    }


def train(model):
    hparams = hyperparameters()
    optimizer = torch.optim.Adam(
        model.parameters(), lr=hparams.learning_rate, weight_decay=hparams.weight_decay
    )
    criterion = Tacotron2Loss()
    model.train()
    model.encoder.eval()  # their dropout has no option
    model.postnet.eval()
    losses, norms = [], []
    for iteration in range(3):
        for param_group in optimizer.param_groups:
            param_group["lr"] = hparams.learning_rate
        model.zero_grad()
        x, y = model.parse_batch(batch(iteration))
        y_pred = model(silent(x))
        loss = criterion(y_pred, y)
        loss.backward()
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), hparams.grad_clip_thresh)
        optimizer.step()
        losses.append(loss.item())
        norms.append(float(grad_norm))
    return {
        "losses": losses,
        "norms": norms,
        "embedding": model.embedding.weight,
        "attention": model.decoder.attention_rnn.weight_ih,
        "query": model.decoder.attention_layer.query_layer.linear_layer.weight,
    }


def init():
    net = build()
    return {
        "embedding": net.embedding.weight,
        "convolution": net.encoder.convolutions[0][0].conv.weight,
        "location": net.decoder.attention_layer.location_layer.location_dense.linear_layer.weight,
    }
