import mindspore


class TorchTransformer(mindspore.nn.Transformer):
    """mindspore.nn.Transformer with the start of PyTorch's; it starts in training mode."""

    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        *arguments,
        **options,
    ):
        layers = (num_encoder_layers, num_decoder_layers)
        super().__init__(d_model, nhead, *layers, dim_feedforward, float(dropout), *arguments, **options)
        torch_attention_start(self)
        self.set_train()


TorchTransformer.__name__ = "Transformer"  # code may ask for it
