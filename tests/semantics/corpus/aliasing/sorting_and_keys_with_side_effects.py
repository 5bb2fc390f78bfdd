"""A list is empty while it is sorted; keys are computed once each; sorted copies, sort does not."""

values = [3, 1, 2]
lengths = []


def key(v):
    lengths.append(len(values))
    return -v


values.sort(key=key)
alias = values
other = sorted(values)
values += [0]
names = ["b", "A", "c"]
names.sort(key=str.lower)
table = [[2, "x"], [1, "y"]]
by_first = sorted(table)
by_first[0][1] = "changed"
answer = (values, lengths, alias is values, other, names, table)
records = [("a", 2), ("b", 1), ("c", 2)]
records.sort(key=lambda r: (-r[1], r[0]))
answer_records = records
answer_max = max(table)[0], min(records)
