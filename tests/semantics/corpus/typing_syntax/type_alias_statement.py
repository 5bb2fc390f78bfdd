"""A type statement makes an alias that is evaluated late; `type` stays an ordinary name."""
# python: 3.12

type Pair[T] = tuple[T, T]
type Later = list[NotYet]


class NotYet:
    pass


type = "a string now"
match = case = [1]
answer = (Pair.__name__, Later.__value__.__args__[0] is NotYet, type, match + case)
answer_fstring = f"{'nested' + f'{"quotes" + "x"}'} {'\n'.join(['a', 'b'])}"
