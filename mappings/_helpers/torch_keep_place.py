import mindspore


def torch_keep_place(parameter, place):
    """Brings what a parameter was given back to the memory where it lay. Compiled, an optimizer keeps to the memory
    where it saw a parameter first: its steps would be lost, without a word."""
    is_there = parameter.data_ptr() == place.data_ptr()
    if is_there or (parameter.shape, parameter.dtype) != (place.shape, place.dtype):
        return
    with mindspore._no_grad():
        value = parameter.value().copy()
        parameter.set_data(place)
        parameter.copy_(value)  # assign takes no parameter that something was written into by its index
