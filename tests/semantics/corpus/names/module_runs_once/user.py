import state
from state import counter, values


def change():
    state.counter += 10
    values.append("user")


def read():
    return (counter, state.counter)
