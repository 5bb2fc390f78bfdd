import mindspore


class TorchStatistic:
    """What a running statistic of a norm is beside a Parameter where code may write it in place. After a plain write
    through an index MindSpore takes it for a view, and the norm goes on with a copy of it: the statistic then stays as
    it is, without a word."""

    def __setitem__(self, index, value):
        values = mindspore.ops.stop_gradient(self).copy()
        TorchParts(values)[index] = value
        with mindspore._no_grad():
            mindspore.ops.assign(self, values)
