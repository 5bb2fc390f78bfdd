import mindspore


class TorchParameterList(mindspore.nn.Cell):
    """PyTorch's ParameterList: a list whose parameters are trained and saved, as 0, 1, 2 ...; what is no tensor, such
    as None, is kept in its place."""

    def __init__(self, values=None):
        super().__init__()
        self.length = 0
        self.others = {}
        self.extend(values or ())

    def append(self, value):
        self.length += 1
        self[self.length - 1] = value
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def __iadd__(self, values):
        return self.extend(values)

    def __len__(self):
        return self.length

    def __iter__(self):
        names = map(str, range(self.length))
        return iter([self.others[name] if name in self.others else self._params[name] for name in names])

    def __getitem__(self, place):
        return TorchParameterList(list(self)[place]) if isinstance(place, slice) else list(self)[place]

    def __setitem__(self, place, value):
        name = str(range(self.length)[place])
        self._params.pop(name, None)
        self.others.pop(name, None)
        if not isinstance(value, mindspore.Tensor):
            self.others[name] = value
            return
        if not isinstance(value, mindspore.Parameter):
            value = mindspore.Parameter(value)
        self.insert_param_to_cell(name, value)
        if self.param_prefix and value.name == name:
            value.name = f"{self.param_prefix}.{name}"
