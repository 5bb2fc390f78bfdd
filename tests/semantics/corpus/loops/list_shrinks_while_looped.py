"""Removing from the list that is looped over skips every second item."""

items = [1, 2, 3, 4, 5, 6]
visited = []
for item in items:
    visited.append(item)
    items.remove(item)
answer_items = items
answer_visited = visited
