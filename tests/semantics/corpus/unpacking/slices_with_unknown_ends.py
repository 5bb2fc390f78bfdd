"""A slice is an object with three parts, some of which may be known."""
# given: end in (2, 3)


class Shows:
    def __getitem__(self, key):
        return key


shows = Shows()
part = shows[1:end]
answer_start = part.start
answer_stop = part.stop
answer_step = part.step
answer_both = shows[0:end, 5][1]
letters = ["a", "b", "c", "d"]
answer_cut = letters[:end][0]
answer_one = ("x", "x", "x")[end - 1]
same = ["z", "z", "z", "z"]
answer_same = same[1:end][0]
