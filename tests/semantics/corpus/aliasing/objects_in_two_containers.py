"""One object in two containers: a change through one is seen through the other, rebinding is not."""


class Node:
    def __init__(self, name):
        self.name = name
        self.links = []


a, b = Node("a"), Node("b")
a.links.append(b)
b.links.append(a)
table = {"first": a, "all": [a, b]}
table["first"].name = "changed"
a.links[0].links[0].links.append("deep")
table["first"] = b
answer = ([n.name for n in table["all"]], table["first"].name, len(a.links), b.links[0] is a, a.links[-1])
first, second = table["all"]
first, second = second, first
answer_swapped = (first.name, table["all"][0].name)
