"""What the torch side does with nets: their first weights are written to files, moved so that a wrong place shows."""

import importlib
import sys

import numpy as np
import torch

PLACES_OF_TORCHVISION = 9


class Framework:
    """Gives every fresh model the weights that the first one came with."""

    def __init__(self, spec):
        self.weights, self.stir = spec["weights"], spec["stir"]
        self.loaded = {}
        torch.set_num_threads(1)
        self._kept = import_torchvision()

    def seed(self, number=0):
        torch.manual_seed(number)

    def begin(self, nets):
        """Write the weights of all nets, for both sides."""
        generator = torch.Generator().manual_seed(1)
        for index, net in enumerate(nets):
            with torch.no_grad():
                self._move(net, generator)
            torch.save(net.state_dict(), f"{self.weights}.{index}.pth")
            arrays = {key: value.detach().numpy() for key, value in net.state_dict().items()}
            np.savez(f"{self.weights}.{index}.npz", **arrays)

    def _move(self, net, generator):
        # Running statistics of 0 and 1, and constant parameters, would hide that they ended in another's place.
        for key, value in net.state_dict().items():
            if key.endswith("running_mean"):
                value.copy_(torch.randn(value.shape, generator=generator) * 0.1)
            elif key.endswith("running_var"):
                value.copy_(torch.rand(value.shape, generator=generator) + 0.5)
        if self.stir:
            for parameter in net.parameters():
                if parameter.numel() > 1 and float(parameter.max() - parameter.min()) == 0.0:
                    moved = torch.randn(parameter.shape, generator=generator) * 0.05
                    parameter.add_(moved.to(parameter.dtype))

    def load(self, nets, jitter):
        """Load the weights, each times `1 + jitter * noise`. Buffers of whole numbers are masks and counts: exact."""
        generator = torch.Generator().manual_seed(2)
        for index, net in enumerate(nets):
            state = torch.load(f"{self.weights}.{index}.pth", weights_only=False)
            if jitter:
                parameters = dict(net.named_parameters(remove_duplicate=False))
                for key, value in state.items():
                    is_exact = key not in parameters and bool((value == value.round()).all())
                    if value.is_floating_point() and not is_exact:
                        noise = torch.randn(value.shape, generator=generator).to(value.dtype)
                        value.mul_(1 + jitter * noise)
            net.load_state_dict(state)


def import_torchvision():
    """A torchvision built for CUDA cannot load its operators here; declared, the rest of it, plain Python, works."""
    operators = torch.library.Library("torchvision", "FRAGMENT")
    for _ in range(PLACES_OF_TORCHVISION):
        try:
            importlib.import_module("torchvision")
        except RuntimeError as error:
            for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
                del sys.modules[name]
            missing = str(error).split("::")[1].split()[0]
            operators.define(f"{missing}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        except ImportError:
            break
    return operators
