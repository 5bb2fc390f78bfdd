import mindspore
import numpy


def torch_read_file(content, weights_only=True):
    """What PyTorch itself wrote by torch.save: a zip with an entry for each storage, or, before its version 1.6,
    pickles with the storages behind them. Only tensors, numbers, texts and containers of them are built, and with
    `weights_only=False` also what other modules define."""
    import io
    import pickle
    import zipfile

    dtypes = {
        "Float": "f4",
        "Double": "f8",
        "Half": "f2",
        "BFloat16": "u2",
        "Long": "i8",
        "Int": "i4",
        "Short": "i2",
    }
    dtypes |= {"Char": "i1", "Byte": "u1", "Bool": "?", "ComplexFloat": "c8", "ComplexDouble": "c16"}
    plain = {"collections.OrderedDict", "numpy.dtype", "numpy.ndarray", "_codecs.encode"}
    plain |= {
        f"numpy.{core}.multiarray.{name}" for core in ("core", "_core") for name in ("scalar", "_reconstruct")
    }

    def tensor(storage, offset, shape, strides, *options):
        values, is_bfloat16 = storage
        last = offset + sum((size - 1) * step for size, step in zip(shape, strides))
        if min((offset, *shape, *strides)) < 0 or (0 not in shape and last >= values.size):
            raise ValueError("the file is damaged: a tensor reaches beyond its numbers")
        if 0 in shape:
            return mindspore.Tensor(numpy.empty(shape, values.dtype))
        steps = [step * values.itemsize for step in strides]
        view = numpy.lib.stride_tricks.as_strided(values[offset:], shape, steps, writeable=False)
        if not is_bfloat16:
            return mindspore.Tensor(numpy.array(view))
        upper = numpy.asarray(numpy.left_shift(view, 16, dtype=numpy.uint32)).view(numpy.float32)
        return mindspore.Tensor(upper).astype(mindspore.bfloat16)

    built = {"torch._utils._rebuild_tensor": tensor, "torch._utils._rebuild_tensor_v2": tensor}
    built["torch._utils._rebuild_parameter"] = lambda data, *options: data
    built |= {"torch.Size": tuple, "torch.device": lambda *parts: ":".join(map(str, parts))}

    class Unpickler(pickle.Unpickler):
        def find_class(self, module, name):
            if module.startswith("torch") and name.endswith("Storage"):
                return name.removesuffix("Storage")
            if f"{module}.{name}" in built:
                return built[f"{module}.{name}"]
            if module == "torch" and hasattr(mindspore, name):
                return getattr(mindspore, name)  # a dtype
            if f"{module}.{name}" in plain or not (weights_only or module.startswith("torch")):
                return super().find_class(module, name)
            found = (
                torch_read_file.also(module, name, super().find_class)
                if hasattr(torch_read_file, "also")
                else None
            )
            if found is not None:
                return found
            raise pickle.UnpicklingError(
                f"the file holds a {module}.{name}, not tensors alone: save a state_dict"
            )

        def persistent_load(self, reference):
            _, kind, key, _, size = reference[:5]
            numbers = self.numbers(key, numpy.dtype(dtypes[kind]), size)
            return numbers, kind == "BFloat16"

    def read(stream, numbers=None):
        unpickler = Unpickler(stream, encoding="utf-8")
        unpickler.numbers = numbers
        return unpickler.load()

    stream = io.BytesIO(content)
    if content.startswith(b"PK"):
        with zipfile.ZipFile(stream) as archive:
            pickled = next(name for name in archive.namelist() if name.endswith("data.pkl"))
            folder = pickled.removesuffix("data.pkl")
            if f"{folder}constants.pkl" in archive.namelist():
                raise ValueError("the file is a TorchScript program: save the state_dict of what it loads as")
            return read(
                io.BytesIO(archive.read(pickled)),
                lambda key, dtype, size: numpy.frombuffer(archive.read(f"{folder}data/{key}"), dtype),
            )
    for _ in range(3):  # a number for the format, its version, and what machine wrote it
        read(stream)
    start, known = stream.tell(), {}
    read(stream, lambda key, dtype, size: known.setdefault(key, numpy.zeros(size, dtype)))
    for key in read(stream):
        count = int.from_bytes(stream.read(8), "little")
        known[key] = numpy.frombuffer(stream.read(count * known[key].itemsize), known[key].dtype)
    stream.seek(start)  # once more, now that the numbers are there
    return read(stream, lambda key, dtype, size: known[key])
