"""A while loop with a flag that is set in an unknown round; after it the flag is known."""
# given: n in (0, 2, 3)

done, tries, log = False, 0, []
while not done:
    tries += 1
    if tries > n:
        done = True
        log.append("done")
answer_done = done
answer_tries = tries
answer_log = log
answer_positive = tries >= 1
