import mindspore


class TorchEmbedding(mindspore.nn.Embedding):
    """mindspore.nn.Embedding with the arguments and attributes of torch's; the row padding_idx gets no gradient, and a
    row longer than max_norm is shortened when it is looked up."""

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        _weight=None,
        _freeze=False,
        **unused,
    ):
        if scale_grad_by_freq:
            raise NotImplementedError("scale_grad_by_freq is not ported")
        table = mindspore.common.initializer.Normal(1.0) if _weight is None else mindspore.Tensor(_weight)
        if padding_idx is not None and padding_idx < 0:
            padding_idx += num_embeddings
        super().__init__(num_embeddings, embedding_dim, embedding_table=table)
        if padding_idx is not None and _weight is None:
            self.embedding_table[padding_idx] = 0
        self.embedding_table.requires_grad = not _freeze
        self.padding_idx = padding_idx
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        if type(self).reset_parameters is not TorchEmbedding.reset_parameters:
            self.reset_parameters()  # a subclass draws in its own way

    def __setattr__(self, name, value):
        super().__setattr__("embedding_table" if name == "weight" else name, value)

    weight = property(lambda self: self.embedding_table)

    def reset_parameters(self):
        """Draws the rows again, as PyTorch does."""
        normal = mindspore.common.initializer.Normal(1.0)
        table = self.embedding_table
        table[:] = mindspore.common.initializer.initializer(normal, table.shape, table.dtype).init_data()
        if self.padding_idx is not None:
            table[self.padding_idx] = 0

    def construct(self, input):
        if self.max_norm is not None:
            torch_renorm_rows(self.embedding_table, input, self.max_norm, self.norm_type)
        rows = super().construct(input)
        if self.padding_idx is None:
            return rows
        padded = mindspore.ops.equal(input, self.padding_idx).expand_dims(-1)
        return mindspore.ops.where(padded, mindspore.ops.stop_gradient(rows), rows)
