def torch_path(cell, path, part):
    """The path of a part of a cell in PyTorch, which calls some parts of its layers otherwise; `path` is that of the
    cell, with a dot behind it."""
    if any(kind.__module__.startswith("mindspore.nn.layer") for kind in type(cell).__mro__):
        if part == "bn2d":  # a BatchNorm3d keeps a BatchNorm2d inside
            return path
        part = {"dense1": "linear1", "dense2": "linear2"}.get(part, part)  # of the layers of a Transformer
    return f"{path}{part}."
