import uuid

import mindspore
import numpy


def torch_traced_gradient(function, position, key):
    """A function for the gradient of what another one gives for the input at a position, by a graph of the operators
    that it runs. A graph holds what was no input when it was made: where that has changed, its value is another, and it
    is made anew. `key` is what graphs are kept by."""
    kept = vars(mindspore).setdefault("_torch_traced_functions", {})

    def traced():
        def operators(*inputs):
            return function(*inputs)

        operators.__module__ = uuid.uuid4().hex  # MindSpore knows graphs by their names
        return mindspore.jit(operators, capture_mode="trace")

    def taken(graph, inputs):
        found = []

        def value(*inputs):
            found.append(graph(*inputs))
            return found[0]

        with torch_indexed_by_numbers():
            gradient = mindspore.grad(value, position)(*inputs)
        return gradient, mindspore.ops.stop_gradient(found[0]).asnumpy()

    def gradient(*inputs):
        with mindspore._no_grad():
            wanted = function(*inputs).asnumpy()
        if key in kept:
            found, value = taken(kept[key], inputs)
            if numpy.allclose(value, wanted, 1e-3, 1e-5):
                return found
        kept[key] = traced()
        return taken(kept[key], inputs)[0]

    return gradient
