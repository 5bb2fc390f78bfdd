class TorchIntermediateLayerGetter(TorchModuleDict):
    """torchvision's network up to the last layer that is asked for, whose results it gives under new names."""

    def __init__(self, model, return_layers):
        super().__init__()
        self.return_layers = {str(layer): str(name) for layer, name in return_layers.items()}
        missing = set(self.return_layers)
        if not missing <= set(model.name_cells()):
            raise ValueError("return_layers are not present in model")
        for name, cell in model.name_cells().items():
            if not missing:
                break
            self[name] = cell
            missing.discard(name)
        self.set_train()

    def construct(self, x):
        results = {}
        for name, cell in self._cells.items():
            x = cell(x)
            if name in self.return_layers:
                results[self.return_layers[name]] = x
        return results
