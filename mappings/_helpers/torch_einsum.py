import math

import mindspore


def torch_einsum(equation, *operands):
    """PyTorch's einsum, by products of matrices, one operand after the other; the equation is a text."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    written, arrow, output = equation.replace(" ", "").partition("->")
    dots, terms = "", []
    for term, operand in zip(written.split(","), operands):
        # Axes behind `...` get Greek letters, counted from the last one, as they are broadcast.
        own = (
            "".join(map(chr, range(0x3B0 + operand.ndim - len(term) + 3, 0x3B0, -1))) if "..." in term else ""
        )
        dots = max(dots, own, key=len)
        terms.append(term.replace("...", own))
    if arrow:
        output = output.replace("...", dots)
    else:
        letters = "".join(terms)
        output = dots + "".join(one for one in sorted(set(letters) - set(dots)) if letters.count(one) == 1)

    def prepared(term, value, kept):
        for letter in dict.fromkeys(term):
            while term.count(letter) > 1:  # the diagonal of two axes of one name
                first = term.index(letter)
                second = term.index(letter, first + 1)
                value = mindspore.ops.diagonal(value, 0, first, second)
                term = term[:first] + term[first + 1 : second] + term[second + 1 :] + letter
        summed = tuple(place for place, letter in enumerate(term) if letter not in kept)
        return "".join(one for one in term if one in kept), value.sum(summed) if summed else value

    def arranged(term, value, order):
        axes = tuple(term.index(letter) for letter in order)
        return value.transpose(axes) if axes != tuple(range(len(axes))) else value

    term, result = prepared(terms[0], operands[0], output + "".join(terms[1:]))
    for place in range(1, len(terms)):
        later = output + "".join(terms[place + 1 :])
        other_term, other = prepared(terms[place], operands[place], term + later)
        sizes, other_sizes = dict(zip(term, result.shape)), dict(zip(other_term, other.shape))
        batch = [one for one in term if one in other_term and one in later]
        rows = [one for one in term if one not in other_term]
        columns = [one for one in other_term if one not in term]
        summed = [one for one in term if one in other_term and one not in later]
        result = arranged(term, result, batch + rows + summed)
        other = arranged(other_term, other, batch + summed + columns)
        height, width = [sizes[one] for one in rows], [other_sizes[one] for one in columns]
        left, right = [sizes[one] for one in batch], [other_sizes[one] for one in batch]
        if summed and [sizes[one] for one in summed] == [other_sizes[one] for one in summed]:
            inner = math.prod(sizes[one] for one in summed)
            result = result.reshape((*left, math.prod(height), inner))
            result = mindspore.ops.matmul(result, other.reshape((*right, inner, math.prod(width))))
        else:  # nothing to sum, or axes of length 1 that are broadcast
            inner, other_inner = [sizes[one] for one in summed], [other_sizes[one] for one in summed]
            result = result.reshape((*left, *height, *inner, *(1 for _ in width)))
            result = result * other.reshape((*right, *(1 for _ in height), *other_inner, *width))
            first = len(left) + len(height)
            result = result.sum(tuple(range(first, first + len(summed)))) if summed else result
        result = result.reshape((*(max(pair) for pair in zip(left, right)), *height, *width))
        term, result = prepared("".join(batch + rows + columns), result, later)
    return arranged(term, result, output)
