"""A generator reads its list when it is asked, so later changes are seen; its first iterable is fixed."""

numbers = [1, 2, 3]
doubled = (2 * x for x in numbers)
first = next(doubled)
numbers.append(4)
numbers[1] = 20
numbers_before = numbers
numbers = ["unseen"]
answer = (first, list(doubled), list(doubled))
factor = 3
scaled = (factor * x for x in [1, 2])
factor = 10
answer_late = list(scaled)
