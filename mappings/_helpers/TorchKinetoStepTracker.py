import typing


class TorchKinetoStepTracker:
    """PyTorch's KinetoStepTracker: the step of whoever has come farthest."""

    steps: typing.ClassVar = {}
    reached = 0

    @classmethod
    def init_step_count(cls, requester):
        cls.steps[requester] = cls.reached

    @classmethod
    def erase_step_count(cls, requester):
        return cls.steps.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester):
        cls.steps[requester] = cls.steps.get(requester, cls.reached) + 1
        cls.reached = max(cls.reached, *cls.steps.values())
        return cls.reached

    @classmethod
    def current_step(cls):
        return cls.reached
