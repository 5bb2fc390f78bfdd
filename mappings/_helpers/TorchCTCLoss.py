import mindspore


class TorchCTCLoss(mindspore.nn.Cell):
    """PyTorch's CTCLoss: takes lengths as lists, too, targets in one row, one after the other, and one sequence."""

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__()
        self.blank, self.reduction, self.zero_infinity = blank, reduction, zero_infinity

    def construct(self, log_probs, targets, input_lengths, target_lengths):
        return torch_ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
