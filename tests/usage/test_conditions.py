"""What the parts of a condition say of the names in the parts behind them."""

from __future__ import annotations

from usage.marks import check


def test_a_part_holds_in_the_parts_behind_it() -> None:
    check(
        """
        from torch import Tensor
        def f(x, y, z):
            a = isinstance(x, Tensor) and x.device.type  #: torch.Tensor; torch.Tensor.device; torch.device.type
            b = not isinstance(y, Tensor) or y.data  #: torch.Tensor; torch.Tensor.data
            return isinstance(z, str) or isinstance(z, Tensor) and z.data  #: torch.Tensor; torch.Tensor.data
        """
    )


def test_what_else_a_value_may_be_is_no_tensor() -> None:
    check(
        """
        import numpy as np
        from torch import Tensor
        def f(x, y):
            a = isinstance(x, np.ndarray) and x.data
            b = a or isinstance(x, Tensor) and x.numel()  #: torch.Tensor; torch.Tensor.numel
            return isinstance(y, dict) and y.values()
        """
    )


def test_behind_the_condition_nothing_is_known() -> None:
    check(
        """
        from torch import Tensor
        def f(x):
            a = isinstance(x, dict) and x.values()
            b = isinstance(x, Tensor) and (y := x) is not None and y.data  #: torch.Tensor; torch.Tensor.data
            return x.values(), y.data  #: torch.Tensor.data
        """
    )


def test_one_of_several_tests_of_a_name_holds() -> None:
    check(
        """
        from torch import Tensor, nn
        def f(m, n, x):
            if isinstance(m, nn.Linear) or isinstance(m, nn.Conv1d):  #: torch.nn.Linear; torch.nn.Conv1d
                m.weight.zero_()  #: torch.nn.Conv1d.weight; torch.Tensor.zero_
            if isinstance(n, nn.Linear) or n is None:  #: torch.nn.Linear
                n.weight
            if isinstance(m, nn.Linear) or isinstance(n, nn.Linear):  #: torch.nn.Linear; torch.nn.Linear
                m.weight
            return isinstance(x, str) or isinstance(x, list) and x.data
        """
    )


def test_classes_may_lie_in_a_list_or_be_unknown() -> None:
    check(
        """
        from torch import Tensor, nn
        NORMS = [nn.BatchNorm2d]  #: torch.nn.BatchNorm2d
        def f(net: nn.Module, x: Tensor, kinds, norms=NORMS):  #: torch.nn.Module; torch.Tensor
            for m in net.modules():  #: torch.nn.Module.modules
                if isinstance(m, tuple(norms)):
                    m.parameters()  #: torch.nn.Module.parameters
                elif isinstance(m, kinds):
                    m.parameters()  #: torch.nn.Module.parameters
            if isinstance(x, kinds):
                return x.numel()  #: torch.Tensor.numel
            return isinstance(x, (list, tuple)) and x.count(1)
        """
    )
