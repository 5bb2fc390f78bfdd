"""A list that may or may not get an item: what came before it is known, its length is not."""
# given: n in (0, 1)

layers = ["first"]
if n:
    layers.append("maybe")
first = layers[0]
layers.append("end")
answer_first = first
answer_last = layers[-1]
answer_layers = layers
answer_size = len(layers)
