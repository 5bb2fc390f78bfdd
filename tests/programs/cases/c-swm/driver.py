import numpy as np
import torch
import torch.nn.functional as F
from torch.utils import data

import modules
import utils

SHAPES = {"small": (3, 50, 50), "medium": (3, 20, 20), "large": (3, 10, 10)}
DECODERS = {
    "small": modules.DecoderCNNSmall,
    "medium": modules.DecoderCNNMedium,
    "large": modules.DecoderCNNLarge,
}
OBJECTS, ACTIONS = 3, 4


def build():
    nets = []
    for name, shape in SHAPES.items():
        model = modules.ContrastiveSWM(
            embedding_dim=2, hidden_dim=32, action_dim=ACTIONS, input_dims=shape, num_objects=OBJECTS, sigma=0.5,
            hinge=1.0, ignore_action=name == "large", copy_action=name == "medium", encoder=name,
        )  # fmt: skip
        decoder = DECODERS[name](input_dim=2, num_objects=OBJECTS, hidden_dim=8, output_size=shape)
        model.apply(utils.weights_init)
        decoder.apply(utils.weights_init)
        nets += [model, decoder]
    return tuple(nets)


def init():
    torch.manual_seed(1)
    model = modules.EncoderCNNLarge(3, 64, 5)
    model.apply(utils.weights_init)
    return {"conv": model.cnn2.weight, "mlp": modules.EncoderMLP(64, 16, 64, 5).fc2.weight}


def write_buffer(name):
    rng = np.random.RandomState(3)
    shape = SHAPES[name]
    episodes = [
        {
            "obs": rng.rand(4, *shape),
            "action": rng.randint(0, ACTIONS * (1 if name == "medium" else OBJECTS), 4),
            "next_obs": rng.rand(4, *shape),
        }
        for _ in range(3)
    ]
    utils.save_list_dict_h5py(episodes, "made/%s.h5" % name)


def batch_of(name):
    dataset = utils.StateTransitionsDataset(hdf5_file="made/%s.h5" % name)
    return next(iter(data.DataLoader(dataset, batch_size=4, shuffle=False)))


def forward(*nets):
    outputs = {}
    for name, model, decoder in zip(SHAPES, nets[::2], nets[1::2]):
        write_buffer(name)
        model.eval()
        decoder.eval()
        obs, action, next_obs = batch_of(name)
        state = model(obs)
        outputs[name + "_state"] = state
        outputs[name + "_moved"] = state + model.transition_model(state, action)
        outputs[name + "_energy"] = lambda model=model, state=state, action=action: model.energy(
            state, action, state * 2
        )
        outputs[name + "_decoded"] = lambda decoder=decoder, state=state: decoder(state)
    paths = utils.PathDataset(hdf5_file="made/large.h5", path_length=3)
    observations, actions = next(iter(data.DataLoader(paths, batch_size=2)))
    outputs["paths"] = torch.stack(observations).sum((2, 3, 4))
    outputs["actions"] = torch.stack(actions)
    points = torch.from_numpy(np.random.RandomState(1).randn(5, 3).astype("float32"))
    outputs["distances"] = utils.pairwise_distance_matrix(points, points * 2)
    return outputs


def train(*nets):
    """The two loops of train.py, which cannot be imported, for it reads the command line at once."""
    result = {}
    for name, model, decoder in zip(SHAPES, nets[::2], nets[1::2]):
        optimizer = torch.optim.Adam(model.parameters(), lr=5e-4)
        optimizer_dec = torch.optim.Adam(decoder.parameters(), lr=5e-4)
        dataset = utils.StateTransitionsDataset(hdf5_file="made/%s.h5" % name)
        train_loader = data.DataLoader(dataset, batch_size=4, shuffle=False)
        np.random.seed(0)
        model.train()
        decoder.train()
        losses = []
        for decodes in (False, True):
            train_loss = 0
            for batch_idx, data_batch in enumerate(train_loader):
                data_batch = [tensor.to("cpu") for tensor in data_batch]
                optimizer.zero_grad()

                if decodes:
                    optimizer_dec.zero_grad()
                    obs, action, next_obs = data_batch
                    objs = model.obj_extractor(obs)
                    state = model.obj_encoder(objs)

                    rec = torch.sigmoid(decoder(state))
                    loss = F.binary_cross_entropy(rec, obs, reduction="sum") / obs.size(0)

                    next_state_pred = state + model.transition_model(state, action)
                    next_rec = torch.sigmoid(decoder(next_state_pred))
                    next_loss = F.binary_cross_entropy(next_rec, next_obs, reduction="sum") / obs.size(0)
                    loss += next_loss
                else:
                    loss = model.contrastive_loss(*data_batch)

                loss.backward()
                train_loss += loss.item()
                optimizer.step()

                if decodes:
                    optimizer_dec.step()
                losses.append(loss.item())
            losses.append(train_loss / len(train_loader.dataset))
        result[name + "_losses"] = losses
        result[name + "_encoder"] = model.obj_encoder.fc2.weight
        result[name + "_edges"] = model.transition_model.edge_mlp[0].weight
        result[name + "_mean"] = model.obj_extractor.ln1.running_mean
        result[name + "_decoder"] = decoder.deconv2.weight
    return result
