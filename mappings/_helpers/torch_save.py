import functools
import pathlib

import mindspore


def torch_save(obj, f, pickle_module=None, pickle_protocol=2, **unused):
    """Writes any object with tensors, whole networks too, to a path or an open file, for torch_load."""
    import io  # in here: a project may call skimage.io and dill so
    import pickle

    class Pickler(pickle.Pickler):
        def reducer_override(self, one):
            if isinstance(one, mindspore.ops.Primitive):  # a layer's operator, which is made anew
                return functools.partial(type(one), **getattr(one, "init_attrs", {})), ()
            return NotImplemented

    content = io.BytesIO()
    Pickler(content, protocol=pickle_protocol).dump(obj)
    if hasattr(f, "write"):
        f.write(content.getvalue())
    else:
        pathlib.Path(f).write_bytes(content.getvalue())
