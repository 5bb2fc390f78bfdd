import collections.abc

import mindspore


class TorchParameterDict(mindspore.nn.Cell, collections.abc.MutableMapping):
    """PyTorch's ParameterDict: a dictionary whose parameters are trained and saved under their keys."""

    def __init__(self, parameters=None):
        super().__init__()
        self.update(parameters or {})

    def update(self, parameters):
        """Takes parameters by their keys; those of a plain dictionary are taken in the order of the keys."""
        pairs = parameters.items() if isinstance(parameters, collections.abc.Mapping) else parameters
        for key, parameter in sorted(pairs) if type(parameters) is dict else pairs:
            self[key] = parameter

    def __len__(self):
        return len(self._params)

    def __iter__(self):
        return iter(list(self._params))

    def __contains__(self, key):
        return key in self._params

    def __getitem__(self, key):
        return self._params[key]

    def __setitem__(self, key, value):
        if not isinstance(value, mindspore.Parameter):
            value = mindspore.Parameter(value)
        self._params.pop(key, None)
        self.insert_param_to_cell(key, value)
        if self.param_prefix and value.name == key:
            value.name = f"{self.param_prefix}.{key}"

    def __delitem__(self, key):
        del self._params[key]

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other

    def copy(self):
        return TorchParameterDict(list(self.items()))
