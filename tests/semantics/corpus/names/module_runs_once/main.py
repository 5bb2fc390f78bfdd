"""A module's body runs once however often it is imported; its state is shared by all importers."""

import state
import user
from state import counter, values

state.counter += 1
user.change()
import state as again

values.append("main")
answer = (counter, state.counter, again is state, state.values, user.read())
