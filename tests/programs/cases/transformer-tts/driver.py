import os

import hyperparams as hp

hp.embedding_size, hp.num_mels, hp.n_mels, hp.n_fft = 12, 6, 6, 16
hp.lr = 0.4  # of which the warm-up leaves 1e-4 in the first step
hp.batch_size, hp.epochs, hp.save_step, hp.checkpoint_path = 13, 3, 3, "checkpoint"

import numpy as np
import torch as t
import train_postnet
import train_transformer
from network import Model, ModelPostNet
from preprocess import collate_fn_postnet, collate_fn_transformer
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self, seed):
        rng = np.random.RandomState(seed)
        self.samples = []
        for length in rng.randint(3, 8, hp.batch_size):
            frames = length + 2
            mel = rng.rand(frames, hp.num_mels).astype(np.float32)
            self.samples.append(
                {
                    "text": rng.randint(1, 30, length).astype(np.int32),
                    "mel": mel,
                    "mag": rng.rand(frames, hp.n_fft // 2 + 1).astype(np.float32),
                    "text_length": length,
                    "mel_input": np.concatenate(
                        [np.zeros([1, hp.num_mels], np.float32), mel[:-1, :]], axis=0
                    ),
                    "pos_text": np.arange(1, length + 1),
                    "pos_mel": np.arange(1, frames + 1),
                }
            )

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        return self.samples[index]


def build():
    hp.hidden_size = 16
    model = Model()
    hp.hidden_size = 256  # CBHG takes no other
    return model, ModelPostNet()


def forward(model, postnet):
    model.eval()
    postnet.eval()
    data = Sentences(0)
    samples = [data[i] for i in range(3)]
    text, mel, mel_input, pos_text, pos_mel, _ = collate_fn_transformer(samples)
    mel_pred, postnet_pred, attn_probs, stop_preds, attns_enc, attns_dec = model(
        text, mel_input, pos_text, pos_mel
    )
    mels, _ = collate_fn_postnet(samples)
    return {
        "mel": mel_pred,
        "postnet": postnet_pred,
        "attention": attn_probs[-1],
        "stop": stop_preds,
        "encoder": attns_enc[0],
        "decoder": attns_dec[1],
        "mag": lambda: postnet(mels),
    }


def without_dropout(net):
    for module in net.modules():
        if isinstance(module, t.nn.Dropout):
            module.p = 0.0
    return net


def in_order(dataset, shuffle, num_workers, **settings):
    """The scripts' loader without what would be random, and without sixteen processes."""
    return DataLoader(dataset, **settings)


class Curves:
    """Stands in for tensorboardX: keeps the losses."""

    kept = []

    def add_scalars(self, name, values, step):
        if name == "training_loss":
            self.kept.append([float(value) for value in values.values()])

    def add_image(self, name, image, step):
        self.size = list(image.shape)


def train(model, postnet):
    Curves.kept = []
    train_transformer.SummaryWriter = train_postnet.SummaryWriter = Curves
    os.makedirs(hp.checkpoint_path, exist_ok=True)
    train_transformer.DataLoader = train_postnet.DataLoader = in_order
    train_transformer.get_dataset = lambda: Sentences(1)
    train_transformer.Model = lambda: without_dropout(model)
    train_transformer.main()
    train_postnet.get_post_dataset = lambda: Sentences(2)
    train_postnet.ModelPostNet = lambda: without_dropout(postnet)
    train_postnet.main()
    saved = t.load(os.path.join(hp.checkpoint_path, "checkpoint_transformer_3.pth.tar"))
    return {
        "losses": [value for values in Curves.kept for value in values],
        "alpha": model.encoder.alpha,
        "value": model.decoder.dotattn_layers[1].value.linear_layer.weight,
        "embed": model.encoder.encoder_prenet.embed.weight,
        "statistics": model.decoder.postconvnet.batch_norm_list[2].running_var,
        "saved": saved["model"]["module.decoder.mel_linear.linear_layer.weight"],
        "highway": postnet.cbhg.highway.gates[3].linear_layer.weight,
        "projection": postnet.post_projection.conv.weight,
    }
