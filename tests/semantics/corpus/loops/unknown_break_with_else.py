"""Break or else: exactly one of two things happens, in an unknown round."""
# given: n in (1, 4, 50)

log = []
for value in (1, 2, 4):
    if value == n:
        log.append("found")
        break
else:
    log.append("not found")
answer_log = log
answer_length = len(log)
answer_value = value
for value in (1, 2, 3):
    if value == 2:
        break
else:
    log.append("never")
answer_second = value
answer_never = "never" in log
