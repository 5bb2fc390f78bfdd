import itertools

import mindspore


class TorchEmbeddingBag(mindspore.nn.Cell):
    """torch.nn.EmbeddingBag: sums, means or maxima of rows of a table."""

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        mode="mean",
        sparse=False,
        _weight=None,
        include_last_offset=False,
        padding_idx=None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if max_norm is not None or scale_grad_by_freq:
            raise NotImplementedError("max_norm and scale_grad_by_freq")
        if _weight is None:
            table = mindspore.common.initializer.Normal(1.0)
            shape = (num_embeddings, embedding_dim)
            _weight = mindspore.common.initializer.initializer(table, shape, dtype or mindspore.float32)
        self.weight = mindspore.Parameter(_weight)
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.mode = mode
        self.include_last_offset = include_last_offset
        self.padding_idx = padding_idx

    def construct(self, input, offsets=None, per_sample_weights=None):
        if input.ndim == 2:
            ends = list(range(0, input.size + 1, input.shape[1]))
        else:
            ends = offsets.tolist() + ([] if self.include_last_offset else [input.size])
        index = input.reshape(-1)
        rows = mindspore.ops.gather(self.weight, index, 0)
        counted = mindspore.ops.ones_like(index).astype(rows.dtype)
        if self.padding_idx is not None:
            padding = self.padding_idx % self.num_embeddings
            counted = mindspore.ops.not_equal(index, padding).astype(rows.dtype)
        if per_sample_weights is not None:
            rows = rows * per_sample_weights.reshape(-1, 1)
        empty = mindspore.ops.zeros((self.embedding_dim,), rows.dtype)
        bags = []
        for start, end in itertools.pairwise(ends):
            counts = counted[start:end]
            number = int(mindspore.ops.sum(counts)) if end > start else 0
            bag = rows[start:end]
            if number == 0:
                bags.append(empty)
            elif self.mode == "max":
                bag = mindspore.ops.where(counts.expand_dims(-1) > 0, bag, -float("inf"))
                bags.append(mindspore.ops.amax(bag, 0))
            else:
                total = mindspore.ops.sum(bag * counts.expand_dims(-1), 0)
                bags.append(total / number if self.mode == "mean" else total)
        return mindspore.ops.stack(bags)
