import pathlib
import pickle


def torch_save(obj, f, pickle_module=None, pickle_protocol=2, **unused):
    """Writes any object with tensors to a path or an open file, for torch_load."""
    if hasattr(f, "write"):
        pickle.dump(obj, f, protocol=pickle_protocol)
    else:
        with pathlib.Path(f).open("wb") as file:
            pickle.dump(obj, file, protocol=pickle_protocol)
