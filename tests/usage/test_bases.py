"""What a class has from which of its bases, and what torch itself passes to the methods of a class."""

from __future__ import annotations

from usage.marks import check


def test_declaring_again_what_torch_keeps_changes_nothing() -> None:
    check(
        """
        from torch import nn, optim
        class Net(nn.Module):  #: torch.nn.Module
            training: bool
            def forward(self, x):  #: torch.nn.Module.forward
                return self.training  #: torch.nn.Module.training
        class Base(optim.Optimizer):  #: torch.optim.Optimizer
            state: dict
        class Wrapper(Base):
            def __init__(self, inner):
                self.param_groups = inner.groups
            def run(self):
                for group in self.param_groups:  #: torch.optim.Optimizer.param_groups
                    for p in group["params"]:
                        self.state[p]  #: torch.optim.Optimizer.state
        """
    )


def test_what_a_class_defines_itself_is_its_own() -> None:
    check(
        """
        from torch import nn, optim
        class Net(nn.Module):  #: torch.nn.Module
            @property
            def training(self):  #: torch.nn.Module.training
                return False
            def f(self):
                return self.training
        class Plain:
            training: bool
            state: dict
            def f(self):
                return self.training, self.state
        """
    )


def test_members_of_a_second_base() -> None:
    check(
        """
        from torch import nn, distributions
        class Both(distributions.Transform, nn.Module):  #: torch.distributions.Transform; torch.nn.Module
            def __init__(self, shift):
                super().__init__()
                self.register_buffer("shift", shift)  #: torch.nn.Module.register_buffer
            def f(self):
                return self.training, self.inv  #: torch.nn.Module.training; torch.distributions.Transform.inv
        class Neither(distributions.Transform):  #: torch.distributions.Transform
            def f(self):
                return self.training
        """
    )


def test_the_first_base_that_has_a_member_gives_it() -> None:
    check(
        """
        from torch import nn, distributions
        class Mixin:
            @property
            def batch_shape(self):
                raise NotImplementedError
            def eval(self):  #: torch.nn.Module.eval
                return self
        class First(distributions.Distribution, Mixin):  #: torch.distributions.Distribution
            def f(self):
                return self.batch_shape  #: torch.distributions.Distribution.batch_shape
        class Last(Mixin, distributions.Distribution):  #: torch.distributions.Distribution
            def f(self):
                return self.batch_shape
        class Net(Mixin, nn.Module): pass  #: torch.nn.Module
        Net().eval()
        Net().train()  #: torch.nn.Module.train
        """
    )


def test_what_a_class_leaves_to_those_that_derive_from_it() -> None:
    check(
        """
        import abc
        import torch
        from torch import nn
        class Agent(abc.ABC):
            def __init__(self):
                self.net = None
                self.kept = None
                self.other = 3
            def run(self):
                self.net.train()  #: torch.nn.Module.train
                self.target.eval()  #: torch.nn.Module.eval
                self.kept.train()
                self.other.train()
                self.mixed.eval()  #: torch.nn.Module.eval
                self.mixed.items()
                self.far.parameters()  #: torch.nn.Module.parameters
                self.state.unsqueeze(0)  #: torch.Tensor.unsqueeze
        class Learner(Agent):
            def __init__(self, device):
                super().__init__()
                self.net = nn.Linear(2, 2).to(device)  #: torch.nn.Linear; torch.nn.Module.to
                self.target = nn.Linear(2, 2)  #: torch.nn.Linear
                self.kept = open("log")
                self.mixed = nn.ReLU()  #: torch.nn.ReLU
                self.state = torch.zeros(3)  #: torch.zeros
        class Double(Learner):
            def __init__(self):
                self.far = nn.Linear(2, 2)  #: torch.nn.Linear
                self.mixed = dict()
        class Stranger:
            def __init__(self):
                self.kept = nn.ReLU()  #: torch.nn.ReLU
        """
    )


def test_classes_that_derive_from_each_other_have_no_end() -> None:
    check(
        """
        class A(B):
            def f(self):
                self.net.train()
        class B(A): pass
        """
    )


def test_context_of_an_autograd_function() -> None:
    check(
        """
        import torch
        class Static(torch.autograd.Function):  #: torch.autograd.Function
            @staticmethod
            def forward(ctx, x, n):  #: torch.autograd.Function.forward
                ctx.save_for_backward(x)  #: torch.autograd.function.FunctionCtx.save_for_backward
                ctx.n = n
                return x
            @staticmethod
            def backward(ctx, grad, *others):  #: torch.autograd.Function.backward
                y, = ctx.saved_tensors  #: torch.autograd.Function.saved_tensors
                if ctx.needs_input_grad[0]:  #: torch.autograd.Function.needs_input_grad
                    return y.data, ctx.n  #: torch.Tensor.data
                return grad.data, others[0].data  #: torch.Tensor.data; torch.Tensor.data
        class Inherited(Static):
            @classmethod
            def forward(cls, ctx, x):  #: torch.autograd.Function.forward
                ctx.save_for_backward(x)  #: torch.autograd.function.FunctionCtx.save_for_backward
        """
    )


def test_a_plain_class_that_is_mixed_with_networks() -> None:
    check(
        """
        from torch import nn
        class Frozen:
            def freeze(self):
                for p in self.parameters():  #: torch.nn.Module.parameters
                    p.data  #: torch.Tensor.data
                self.inner.eval(), self.count()
                return self.training  #: torch.nn.Module.training
            def count(self):
                return replaced(self)
        def replaced(model):
            return [m for m in model.children()]  #: torch.nn.Module.children
        class Deep(Frozen):
            def again(self):
                self.eval()  #: torch.nn.Module.eval
        class Working(object):
            def forward(self, x):  #: torch.nn.Linear.forward
                return self.forward(x), x.data  #: torch.nn.Linear.forward; torch.Tensor.data
        class First(Deep, nn.Module):  #: torch.nn.Module
            pass
        class Second(nn.Linear, Working):  #: torch.nn.Linear
            pass
        """
    )


def test_a_plain_class_that_is_mixed_with_nothing_of_torch() -> None:
    check(
        """
        from torch import nn
        from somewhere import Base
        class Trainer:
            def run(self):
                return self.parameters(), self.training, self.eval()
        class Saved(Trainer):
            def run(self):
                return self.state_dict()
        class Both(Saved, dict):
            pass
        class Own:
            def eval(self):  #: torch.nn.Module.eval
                return self.eval(), self.train(), self.read  #: torch.nn.Module.train
            def __init__(self):
                self.__call__()
        class Unknown(Base):
            def run(self):
                return self.parameters()
        class Net(Own, Unknown, nn.Module):  #: torch.nn.Module
            pass
        class Loader:
            def run(self):
                return self.modules()
        class Holder(nn.Module):  #: torch.nn.Module
            Loader = Loader
        """
    )


def test_context_of_its_own_method() -> None:
    check(
        """
        import torch
        class Fresh(torch.autograd.Function):  #: torch.autograd.Function
            @staticmethod
            def forward(x, n):  #: torch.autograd.Function.forward
                return x.metadata
            @staticmethod
            def setup_context(ctx, inputs, output):  #: torch.autograd.Function.setup_context
                ctx.save_for_backward(output)  #: torch.autograd.function.FunctionCtx.save_for_backward
        """
    )


def test_a_plain_class_has_no_context() -> None:
    check(
        """
        import torch
        class Plain:
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
            @staticmethod
            def backward(ctx, grad):
                return ctx.saved_tensors, grad.data
        """
    )
