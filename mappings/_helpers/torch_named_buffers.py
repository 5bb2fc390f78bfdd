import mindspore


def torch_named_buffers(module, prefix="", recurse=True, remove_duplicate=True):
    """PyTorch's Module.named_buffers: with the running statistics of norms, which are parameters in MindSpore."""
    statistics = {"moving_mean": "running_mean", "moving_variance": "running_var"}
    statistics |= {name: name for name in statistics.values()}  # in norms that a port brought along
    seen = set()

    def walk(cell, path):
        own = [(name.rpartition(".")[2], one) for name, one in cell.parameters_and_names(expand=False)]
        own = [
            (statistics.get(name, name), torch_statistic(one))
            for name, one in own
            if name in statistics or getattr(one, "is_buffer", False)
        ]
        for name, buffer in [*own, *mindspore.nn.Cell.named_buffers(cell, recurse=False)]:
            if not remove_duplicate or id(buffer) not in seen:
                seen.add(id(buffer))
                yield path + name, buffer
        if recurse:
            for name, part in cell.name_cells().items():
                yield from walk(part, torch_path(cell, path, name))

    yield from walk(module, f"{prefix}." if prefix else "")
