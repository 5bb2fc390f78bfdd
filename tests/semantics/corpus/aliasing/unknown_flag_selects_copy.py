"""A copy is made or not, so a later change of the one may show in the other, at all depths."""

# given: deep in (None, False, True)
import copy

inner = [1]
original = {"list": inner, "number": 1}
if deep is None:
    twin = original
elif deep:
    twin = copy.deepcopy(original)
else:
    twin = dict(original)
twin["number"] = 2
twin["list"].append(2)
answer_number = original["number"]
answer_inner = inner
answer_twin = twin
answer_first = inner[0]
twin["list"] = [9]
answer_keys = list(original)
answer_last = original["list"][-1]
