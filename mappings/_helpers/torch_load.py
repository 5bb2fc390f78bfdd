import pathlib

import mindspore


def torch_load(f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None, **options):
    """What torch_save or PyTorch itself wrote, or a .ckpt as a dictionary."""
    import io  # in here: a project may call skimage.io and dill so
    import pickle

    allowed = {
        "collections": ("OrderedDict",),
        "numpy": ("ndarray", "dtype"),
        "numpy.core.multiarray": ("_reconstruct", "scalar"),
        "numpy._core.multiarray": ("_reconstruct", "scalar"),
        "mindspore.common.tensor": ("Tensor",),
        "mindspore.common.parameter": ("Parameter",),
        "mindspore._c_expression.np_dtypes": ("bfloat16",),
        "_codecs": ("encode",),
    }

    class Unpickler(pickle.Unpickler):
        def find_class(self, module, name):
            if not weights_only or name in allowed.get(module, ()):
                return super().find_class(module, name)
            found = torch_load.also(module, name, super().find_class) if hasattr(torch_load, "also") else None
            if found is not None:
                return found
            raise pickle.UnpicklingError(
                f"{module}.{name} is no tensor; weights_only=False reads it and runs its code"
            )

    if hasattr(f, "read"):
        content = f.read()
    else:
        with pathlib.Path(f).open("rb") as file:
            is_pickled = file.peek(1)[:1] in (b"\x80", b"P")  # by torch_save, or by torch
            if str(f).endswith(".ckpt") and not is_pickled:
                return mindspore.load_checkpoint(str(f))
            content = file.read()
    if content.startswith(b"PK") or b"\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19." in content[:20]:
        return torch_read_file(content, weights_only)
    return Unpickler(io.BytesIO(content), **options).load()
