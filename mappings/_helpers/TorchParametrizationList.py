import mindspore


class TorchParametrizationList(mindspore.nn.Cell):
    """What a weight of a cell is computed from, as in PyTorch: the stored tensors and the cells that they go through,
    under PyTorch's names. The weight itself is computed before each call of its owner."""

    def __init__(self, owner, name, first):
        super().__init__()
        weight = owner._params.pop(name)
        inverse = getattr(first, "right_inverse", None)
        stored = weight if inverse is None else inverse(weight)
        self.is_tensor = not isinstance(stored, (tuple, list))
        parts = (
            {"original": stored}
            if self.is_tensor
            else {f"original{i}": part for i, part in enumerate(stored)}
        )
        self.stored = tuple(parts)
        for key, part in parts.items():
            value = mindspore.ops.stop_gradient(part * 1)
            self.insert_param_to_cell(key, mindspore.Parameter(value, requires_grad=weight.requires_grad))

        def compute(cell, inputs):
            object.__setattr__(cell, name, cell.parametrizations[name]())

        self.compute = compute
        owner.register_forward_pre_hook(compute)

    def append(self, cell):
        self.insert_child_to_cell(str(len(self)), cell)

    def construct(self):
        first, *others = self
        value = first(*(getattr(self, key) for key in self.stored))
        for cell in others:
            value = cell(value)
        return value

    def __getitem__(self, index):
        return list(self._cells.values())[index]

    def __len__(self):
        return len(self._cells)
