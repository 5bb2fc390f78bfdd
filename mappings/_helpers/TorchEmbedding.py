import mindspore


class TorchEmbedding(mindspore.nn.Embedding):
    """mindspore.nn.Embedding with the arguments of torch's; the row padding_idx gets no gradient."""

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, **unused):
        table = mindspore.common.initializer.Normal(1.0)
        if padding_idx is not None and padding_idx < 0:
            padding_idx += num_embeddings
        super().__init__(num_embeddings, embedding_dim, embedding_table=table, padding_idx=padding_idx)
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if type(self).reset_parameters is not TorchEmbedding.reset_parameters:
            self.reset_parameters()  # a subclass draws in its own way

    weight = property(lambda self: self.embedding_table)

    def reset_parameters(self):
        """Draws the rows again, as PyTorch does."""
        normal = mindspore.common.initializer.Normal(1.0)
        table = self.embedding_table
        table[:] = mindspore.common.initializer.initializer(normal, table.shape, table.dtype).init_data()
        if self.padding_idx is not None:
            table[self.padding_idx] = 0

    def construct(self, input):
        rows = super().construct(input)
        if self.padding_idx is None:
            return rows
        padded = mindspore.ops.equal(input, self.padding_idx).expand_dims(-1)
        return mindspore.ops.where(padded, mindspore.ops.stop_gradient(rows), rows)
