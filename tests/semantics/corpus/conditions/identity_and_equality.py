"""Equal is not the same; numbers of different types are equal, and nan is not equal to itself."""

nan = float("nan")
a, b = [1, 2], [1, 2]
answer = (a == b, a is b, 1 == 1.0 == True, 0.1 + 0.2 == 0.3, "1" == 1, (1, 2) == [1, 2], {1, 2} == {2, 1})
answer_nan = (nan == nan, nan != nan, nan in [nan], [nan] == [nan], float("nan") in [nan])
answer_none = (None is None, None == 0, type(a) is list, type(True) is int)
answer_compare = ([1, 2] < [1, 3], (1,) < (1, 0), "Z" < "a", {1} < {1, 2}, {1} < {2})
