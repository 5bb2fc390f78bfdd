"""Subclasses of list, dict and int keep the builtin behaviour; missing keys ask __missing__."""


class Stack(list):
    def push(self, *items):
        self.extend(items)
        return self


class Squares(dict):
    def __missing__(self, key):
        return key * key


class Text(str):
    def __len__(self):
        return 100


stack = Stack([1]).push(2, 3)
squares = Squares({2: "two"})
answer = (
    list(stack),
    isinstance(stack[:2], Stack),
    stack == [1, 2, 3],
    squares[2],
    squares[5],
    squares.get(5),
    5 in squares,
)
answer_text = (len(Text("ab")), Text("ab").upper(), type(Text("ab") + "c") is str)
