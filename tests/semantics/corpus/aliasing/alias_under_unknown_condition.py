"""After an unknown branch a name may be one of two lists, so a change may reach either."""
# given: n in (0, 1, 2)

left, right, third = [1], [2], [3]
target = left if n else right
target.append(9)
answer_left = left
answer_right = right
answer_third = third
answer_last = target[-1]
answer_length = len(left) + len(right)
