"""A dict may not change its size while it is looped over, but its values may change."""

ages = {"a": 1, "b": 2}
for key in ages:
    ages[key] *= 10
for key in list(ages):
    if ages[key] > 15:
        del ages[key]
try:
    for key in ages:
        ages["new"] = 0
except RuntimeError as error:
    message = str(error)
answer = ages
answer_message = message
