"""A function changes what it is given in place, but rebinding its parameter changes nothing outside."""


def change(numbers, mapping, text):
    numbers.append(4)
    mapping["x"] = numbers
    text += "!"
    numbers = [0]
    numbers.append(1)
    return text


values, table, word = [1], {}, "hi"
result = change(values, table, word)
answer = (values, table, word, result, table["x"] is values)
change(values[:], table, word)
answer_copy = (values, table)
