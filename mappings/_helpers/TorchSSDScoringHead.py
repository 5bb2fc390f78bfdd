import mindspore


class TorchSSDScoringHead(mindspore.nn.Cell):
    """torchvision's SSDScoringHead: a layer for each map, whose results stand in rows."""

    def __init__(self, module_list, num_columns):
        super().__init__()
        self.module_list = module_list
        self.num_columns = num_columns

    def construct(self, x):
        rows = []
        for layer, features in zip(self.module_list, x):
            result = layer(features).permute(0, 2, 3, 1)
            rows.append(result.reshape(result.shape[0], -1, self.num_columns))
        return mindspore.ops.cat(rows, 1)
