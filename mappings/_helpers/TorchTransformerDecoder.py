import mindspore


class TorchTransformerDecoder(mindspore.nn.TransformerDecoder):
    """mindspore.nn.TransformerDecoder of copies of the layer itself, as PyTorch's; it starts in training mode."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        mindspore.nn.Cell.__init__(self)
        self.layers = torch_layer_copies(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.set_train()


TorchTransformerDecoder.__name__ = "TransformerDecoder"  # code may ask for it
