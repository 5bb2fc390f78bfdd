import string

import mindspore


class TorchTemplate(str, string.Formatter):
    """A text with fields. As in PyTorch, a tensor of one number has the formats of its number."""

    def format(self, *args, **kwargs):
        return self.vformat(self, args, kwargs)

    def format_field(self, value, format_spec):
        if isinstance(value, mindspore.Tensor) and value.ndim == 0:
            value = value.item()
        return format(value, format_spec)
