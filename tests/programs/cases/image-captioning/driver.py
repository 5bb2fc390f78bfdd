import numpy as np
import torch
import train as training
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import DataLoader, TensorDataset

from models import DecoderWithAttention, Encoder

WORDS, LENGTH, COUNT = 30, 9, 4


def build():
    encoder = Encoder(encoded_image_size=4)
    encoder.fine_tune(False)
    decoder = DecoderWithAttention(
        attention_dim=16, embed_dim=12, decoder_dim=24, vocab_size=WORDS, dropout=0.0
    )
    return encoder, decoder


def captions(seed):
    """Pictures with captions of several lengths, as CaptionDataset gives them."""
    random = np.random.RandomState(seed)
    images = torch.from_numpy(random.randn(COUNT, 3, 96, 96).astype("float32"))
    lengths = np.array([[LENGTH - 2], [LENGTH], [LENGTH - 4], [LENGTH - 1]])
    words = random.randint(1, WORDS, (COUNT, LENGTH))
    for row, length in enumerate(lengths[:, 0]):
        words[row, length:] = 0
    return images, torch.from_numpy(words.astype("int64")), torch.from_numpy(lengths.astype("int64"))


def forward(encoder, decoder):
    encoder.train()  # without trained weights its statistics are not those of the pictures
    decoder.eval()
    images, words, lengths = captions(0)
    with torch.no_grad():
        features = encoder(images)
        scores, caps_sorted, decode_lengths, alphas, sort_ind = decoder(features, words, lengths)
        targets = pack_padded_sequence(caps_sorted[:, 1:], decode_lengths, batch_first=True).data
        packed = pack_padded_sequence(scores, decode_lengths, batch_first=True).data
        loss = nn.CrossEntropyLoss()(packed, targets)
    return {"features": features, "scores": scores, "alphas": alphas, "order": sort_ind, "loss": loss}


def train(encoder, decoder):
    decoder_optimizer = torch.optim.Adam(
        params=filter(lambda p: p.requires_grad, decoder.parameters()), lr=training.decoder_lr
    )
    criterion = nn.CrossEntropyLoss()
    losses = [forward(encoder, decoder)["loss"].item()]
    for epoch in range(3):
        loader = DataLoader(TensorDataset(*captions(1 + epoch)), batch_size=COUNT, shuffle=False)
        training.train(
            train_loader=loader,
            encoder=encoder,
            decoder=decoder,
            criterion=criterion,
            encoder_optimizer=None,
            decoder_optimizer=decoder_optimizer,
            epoch=epoch,
        )
        losses.append(forward(encoder, decoder)["loss"].item())
    return {
        "losses": losses,
        "words": decoder.fc.weight,
        "attention": decoder.attention.full_att.weight,
        "start": decoder.init_h.bias,
        "running_mean": encoder.resnet[1].running_mean,
    }


def init():
    _, decoder = build()
    return {"embedding": decoder.embedding.weight, "words": decoder.fc.weight}
