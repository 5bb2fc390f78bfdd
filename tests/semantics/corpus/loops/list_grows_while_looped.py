"""Appending to the list that is looped over makes the loop longer."""

queue = [5]
for value in queue:
    if value > 1:
        queue.append(value // 2)
    if len(queue) > 20:
        break
answer = queue
