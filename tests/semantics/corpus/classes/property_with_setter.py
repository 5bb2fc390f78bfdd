"""A property computes on reading, checks on writing, and cannot be set without a setter."""


class Box:
    def __init__(self, width):
        self.width = width

    @property
    def width(self):
        return self._width

    @width.setter
    def width(self, value):
        self._width = max(0, value)

    @width.deleter
    def width(self):
        self._width = "deleted"

    @property
    def area(self):
        return self.width * 2


box = Box(-5)
first = box.width
box.width += 7
try:
    box.area = 3
except AttributeError:
    refused = True
area = box.area
del box.width
answer = (first, area, refused, box.width, sorted(vars(box)), isinstance(Box.area, property))
