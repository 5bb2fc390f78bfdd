"""The else of a while runs when the condition becomes false, not after a break."""

log = []
n_left = 3
while n_left:
    n_left -= 1
else:
    log.append("ran out")
while True:
    n_left += 1
    if n_left > 2:
        break
else:
    log.append("never")
while False:
    log.append("no round")
else:
    log.append("at once")
answer = (log, n_left)
