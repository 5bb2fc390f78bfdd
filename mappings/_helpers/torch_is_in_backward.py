import mindspore.common.api


def torch_is_in_backward():
    """Whether this is called by the `backward` of an operation of the program's own."""
    executor = mindspore.common.api._pynative_executor
    return getattr(executor, "get_current_autodiff_engine_id", lambda: -1)() != -1
