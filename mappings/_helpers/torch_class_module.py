import importlib
import types


def torch_class_module(kind):
    """The module in which a registry looks for a class by its name: what stands for a class of PyTorch goes by the name
    of that one, too."""
    module, name = importlib.import_module(kind.__module__), torch_class_name(kind)
    if name == kind.__name__ and kind.__module__ != torch_class_module.__module__:
        return module
    return types.SimpleNamespace(**{**vars(module), kind.__name__: kind, name: kind})
