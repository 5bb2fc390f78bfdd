import mindspore


def torch_pretrained_embedding(embeddings, freeze=True, padding_idx=None):
    """PyTorch's Embedding.from_pretrained: a layer with these rows, which are not learned unless `freeze` is False."""
    layer = TorchEmbedding(*embeddings.shape, padding_idx=padding_idx)
    layer.embedding_table = mindspore.Parameter(embeddings, name="embedding_table", requires_grad=not freeze)
    return layer
