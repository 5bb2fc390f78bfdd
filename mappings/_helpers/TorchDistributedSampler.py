import math

import mindspore


class TorchDistributedSampler(TorchSampler):
    """The share of a data set that belongs to one process; set_epoch chooses another order."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        self.dataset = dataset
        communication = mindspore.mint.distributed
        self.num_replicas = communication.get_world_size() if num_replicas is None else num_replicas
        self.rank = communication.get_rank() if rank is None else rank
        self.shuffle = shuffle
        self.seed = seed
        self.drop_last = drop_last
        self.epoch = 0
        rounded = math.floor if drop_last else math.ceil
        self.num_samples = rounded(len(dataset) / self.num_replicas)
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self):
        import random  # in here: a file may call its function so (`from random import random`)

        order = list(range(len(self.dataset)))
        if self.shuffle:
            random.Random(self.seed + self.epoch).shuffle(order)
        repeated = order * math.ceil(self.total_size / max(len(order), 1))
        return iter(repeated[self.rank : self.total_size : self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch
