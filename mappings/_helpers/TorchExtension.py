class TorchExtension:
    """Stands for operators that were compiled for PyTorch. Programs that only have them for a GPU run without them;
    `mindspore.ops.CustomOpBuilder` builds MindSpore's own."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(
            f"{self._name}.{name} is compiled for PyTorch: build one for MindSpore with CustomOpBuilder"
        )
