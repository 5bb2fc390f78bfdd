"""sorted keeps the order of equal keys, also in reverse; sort() in place returns None."""

words = ["bb", "a", "cc", "d", "eee"]
answer = (sorted(words, key=len), sorted(words, key=len, reverse=True))
answer_none = words.sort(reverse=True)
answer_words = words
answer_reversed = (list(reversed(words)), words[::-1] is words)
answer_min = (min(words, key=len), max([], default="nothing"), max("a", "c", "b", key=lambda c: -ord(c)))
