"""`nn.Conv2dTranspose` with `output_padding`: the values are wrong."""

import numpy
from mindspore import Tensor, nn

# Inputs and weights of 1: each input adds a 3 x 3 block of ones, two apart; one row and column of padding is cut off.
WHOLE = numpy.zeros((6, 6), "float32")
for row in (0, 2):
    for column in (0, 2):
        WHOLE[row : row + 3, column : column + 3] += 1
EXPECTED = WHOLE[1:5, 1:5]


def got():
    layer = nn.Conv2dTranspose(
        1, 1, 3, stride=2, pad_mode="pad", padding=1, output_padding=1, weight_init="ones"
    )
    return layer(Tensor(numpy.ones((1, 1, 2, 2), "float32")))[0, 0]
