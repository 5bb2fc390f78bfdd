import mindspore


class TorchStorage:
    """The elements behind a tensor, as PyTorch's storages have them. New ones are not shared between processes."""

    def __init__(self, tensor):
        self.elements = tensor.reshape(-1)

    def __len__(self):
        return self.elements.size

    def __getitem__(self, place):
        return self.elements[place].item()

    def size(self):
        return len(self)

    def tolist(self):
        return self.elements.tolist()

    def data_ptr(self):
        return self.elements.data_ptr()

    def _new_shared(self, size, **device):
        return TorchStorage(mindspore.ops.zeros((size,), self.elements.dtype))
