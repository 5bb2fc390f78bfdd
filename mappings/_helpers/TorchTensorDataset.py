class TorchTensorDataset(TorchDataset):
    """Tensors cut along their first axis."""

    def __init__(self, *tensors):
        self.tensors = tensors

    def __getitem__(self, index):
        index = torch_index(index)
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return len(self.tensors[0])
