def torch_named_parameters(module, prefix="", recurse=True, remove_duplicate=True):
    """PyTorch's Module.named_parameters: its names, and without the running statistics of norms."""
    names = {"gamma": "weight", "beta": "bias", "embedding_table": "weight", "w": "weight"}
    seen, unused = set(), torch_unused_weights(module)

    def walk(cell, path):
        is_layer = any(kind.__module__.startswith("mindspore.nn.layer") for kind in type(cell).__mro__)
        for full, parameter in cell.parameters_and_names(expand=False):
            name = full.rpartition(".")[2]
            is_statistic = name.startswith("moving_" if is_layer else "running_")
            if is_statistic or getattr(parameter, "is_buffer", False) or id(parameter) in unused:
                continue
            if not remove_duplicate or id(parameter) not in seen:
                seen.add(id(parameter))
                yield path + (names.get(name, name) if is_layer else name), parameter
        if recurse:
            for name, part in cell.name_cells().items():
                yield from walk(part, torch_path(cell, path, name))

    yield from walk(module, f"{prefix}." if prefix else "")
