class TorchSubset(TorchDataset):
    """Some samples of a data set."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index):
        return self.dataset[torch_index(self.indices[index])]

    def __len__(self):
        return len(self.indices)
