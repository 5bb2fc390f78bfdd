"""What the MindSpore side does with nets: gives them the weights that the torch side wrote, by their names."""

import re

import mindspore
import numpy as np

# What MindSpore's own layers call the parameters of torch's layers.
OTHER_NAMES = {  # BatchNorm3d has a BatchNorm2d inside
    "weight": ("weight", "gamma", "embedding_table", "w", "bn2d.gamma"),
    "bias": ("bias", "beta", "bn2d.beta"),
    "running_mean": ("running_mean", "moving_mean", "bn2d.moving_mean"),
    "running_var": ("running_var", "moving_variance", "bn2d.moving_variance"),
}
# What they call the layers in them: those of nn.TransformerEncoderLayer.
OTHER_LAYERS = {".linear1.": ".dense1.", ".linear2.": ".dense2."}
# Attributes with the name of one of Cell's own, such as `cells`, are called `cells_`.
RENAMED = re.compile(r"(?<=[a-z])_(?=\.)")
# Where nn.BatchNorm3d keeps them.
INNER_NORM = ".bn2d."


class Framework:
    """Gives every fresh model the weights that torch's first one came with."""

    def __init__(self, spec):
        self.weights = spec["weights"]
        self.loaded = {}
        mindspore.runtime.launch_blocking()  # an error is raised where its call is

    def seed(self, number=0):
        mindspore.set_seed(number)

    def begin(self, nets):
        """Nothing to do: the weights come from the torch side."""

    def compile_everything(self):
        """From here on cells are compiled before they run."""
        mindspore.set_context(mode=mindspore.GRAPH_MODE)

    def load(self, nets, jitter):
        for index, net in enumerate(nets):
            self.loaded[str(index)] = self._load(net, np.load(f"{self.weights}.{index}.npz"))

    def _load(self, net, state):
        used, missing = 0, []
        places = {parameter.name: parameter for parameter in net.get_parameters()}
        for name, parameter in net.parameters_and_names():
            places.setdefault(name, parameter)
            places.setdefault(RENAMED.sub("", name), parameter)
        for name, buffer in net.named_buffers():  # tensors that are no parameters, as in torch
            places.setdefault(name, buffer)
        for key in state.files:
            head, dot, last = key.rpartition(".")
            candidates = [head + dot + other for other in OTHER_NAMES.get(last, (last,))]
            candidates += [head + INNER_NORM + other for other in OTHER_NAMES.get(last, ())]
            for own, theirs in OTHER_LAYERS.items():
                candidates += [name.replace(own, theirs) for name in candidates if own in name]
            hits = [places[name] for name in candidates if name in places]
            value = state[key]
            if hits and hits[0].size == value.size:
                kind = mindspore.dtype_to_nptype(hits[0].dtype)
                data = mindspore.Tensor(value.reshape(hits[0].shape).astype(kind))
                is_parameter = isinstance(hits[0], mindspore.Parameter)
                (hits[0].set_data if is_parameter else hits[0].assign_value)(data)
                used += 1
            elif last != "num_batches_tracked":
                missing.append(key)
        return f"{used} loaded by name, without a place: {missing[:4]}"
