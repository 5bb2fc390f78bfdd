import math

import mindspore


@mindspore.ops.constexpr
def einsum_steps(equation, shapes):
    """What an equation of einsum does with operands of these shapes, worked out once when a graph is compiled: how each
    operand is brought in, as torch_einsum reads it, and the order of the axes at last."""
    written, arrow, output = equation.replace(" ", "").partition("->")
    dots, terms = "", []
    for term, shape in zip(written.split(","), shapes):
        # Axes behind `...` get Greek letters, counted from the last one, as they are broadcast.
        own = "".join(map(chr, range(0x3B0 + len(shape) - len(term) + 3, 0x3B0, -1))) if "..." in term else ""
        dots = max(dots, own, key=len)
        terms.append(term.replace("...", own))
    if arrow:
        output = output.replace("...", dots)
    else:
        letters = "".join(terms)
        output = dots + "".join(one for one in sorted(set(letters) - set(dots)) if letters.count(one) == 1)

    def prepared(term, shape, kept):
        diagonals, sizes = [], list(shape)
        for letter in dict.fromkeys(term):
            while term.count(letter) > 1:  # the diagonal of two axes of one name
                first = term.index(letter)
                second = term.index(letter, first + 1)
                diagonals.append((first, second))
                sizes.append(sizes[first])
                del sizes[second], sizes[first]
                term = term[:first] + term[first + 1 : second] + term[second + 1 :] + letter
        summed = tuple(place for place, letter in enumerate(term) if letter not in kept)
        sizes = {letter: size for letter, size in zip(term, sizes) if letter in kept}
        return "".join(sizes), sizes, tuple(diagonals), summed

    def order(term, wanted):
        axes = tuple(term.index(letter) for letter in wanted)
        return axes if axes != tuple(range(len(axes))) else ()

    term, sizes, diagonals, summed = prepared(terms[0], shapes[0], output + "".join(terms[1:]))
    steps = [(diagonals, summed)]
    for place in range(1, len(terms)):
        later = output + "".join(terms[place + 1 :])
        other, others, diagonals, other_summed = prepared(terms[place], shapes[place], term + later)
        batch = [one for one in term if one in other and one in later]
        rows = [one for one in term if one not in other]
        columns = [one for one in other if one not in term]
        inner = [one for one in term if one in other and one not in later]
        height, width = [sizes[one] for one in rows], [others[one] for one in columns]
        left, right = [sizes[one] for one in batch], [others[one] for one in batch]
        depth, other_depth = [sizes[one] for one in inner], [others[one] for one in inner]
        is_product = bool(inner) and depth == other_depth
        if is_product:
            shape = (*left, math.prod(height), math.prod(depth))
            other_shape = (*right, math.prod(depth), math.prod(width))
            sums = ()
        else:  # nothing to sum, or axes of length 1 that are broadcast
            shape = (*left, *height, *depth, *(1 for _ in width))
            other_shape = (*right, *(1 for _ in height), *other_depth, *width)
            first = len(left) + len(height)
            sums = tuple(range(first, first + len(inner)))
        joined = (*(max(pair) for pair in zip(left, right)), *height, *width)
        axes, other_axes = order(term, batch + rows + inner), order(other, batch + inner + columns)
        term, sizes, _, summed = prepared("".join(batch + rows + columns), joined, later)
        steps.append(
            (
                *(diagonals, other_summed, axes, shape),
                *(other_axes, other_shape, is_product, sums, joined, summed),
            )
        )
    return tuple(steps), order(term, output)
