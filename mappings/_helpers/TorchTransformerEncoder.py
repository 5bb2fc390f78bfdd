import mindspore


class TorchTransformerEncoder(mindspore.nn.TransformerEncoder):
    """mindspore.nn.TransformerEncoder of copies of the layer itself, as PyTorch's; it starts in training mode."""

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        mindspore.nn.Cell.__init__(self)
        self.layers = torch_layer_copies(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.set_train()


TorchTransformerEncoder.__name__ = "TransformerEncoder"  # code may ask for it
