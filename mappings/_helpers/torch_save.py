import functools
import pathlib

import mindspore


def torch_save(obj, f, pickle_module=None, pickle_protocol=2, **unused):
    """Writes any object with tensors, whole networks too, to a path or an open file, for torch_load."""
    import inspect
    import io  # in here: a project may call skimage.io and dill so
    import pickle

    def settings(one):
        # Some operators keep what they were made with as attributes of their own only.
        kept = getattr(one, "init_attrs", {})
        taken = inspect.signature(type(one).__init__).parameters.values()
        if any(parameter.kind is parameter.VAR_KEYWORD for parameter in taken):
            return kept
        names = [parameter.name for parameter in taken if parameter.name != "self"]
        own = {name: getattr(one, name) for name in names if hasattr(one, name)}
        return {name: kept.get(name, own.get(name)) for name in names if name in kept or name in own}

    class Pickler(pickle.Pickler):
        def reducer_override(self, one):
            kinds = (mindspore.ops.Primitive, mindspore.ops.HyperMap, mindspore.ops.composite.Map)
            if isinstance(one, kinds):  # a layer's operator, or an optimizer's, which is made anew
                return functools.partial(type(one), **settings(one)), ()
            return NotImplemented

    content = io.BytesIO()
    Pickler(content, protocol=pickle_protocol).dump(obj)
    if hasattr(f, "write"):
        f.write(content.getvalue())
    else:
        pathlib.Path(f).write_bytes(content.getvalue())
