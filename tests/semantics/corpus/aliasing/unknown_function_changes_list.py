"""Which function is called is unknown; one of them changes the list that it is given."""
# given: n in (0, 1)


def change(values):
    values.append(2)
    return len(values)


def look(values):
    return len(values) + 1


numbers, others = [1], [1]
result = (change if n else look)(numbers)
answer_result = result
answer_numbers = numbers
answer_others = others
answer_first = numbers[0]
