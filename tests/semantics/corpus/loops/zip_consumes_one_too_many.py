"""zip asks its first iterator before it sees that the second one is empty, so an item is lost."""

long, short = iter([1, 2, 3, 4]), iter("ab")
pairs = list(zip(long, short))
answer = (pairs, list(long))
long, short = iter([1, 2, 3, 4]), iter("ab")
answer_other_way = (list(zip(short, long)), list(long))
same = iter(range(6))
answer_chunks = list(zip(same, same))
