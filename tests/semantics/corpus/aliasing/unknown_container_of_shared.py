"""An object is put into one of two boxes; a later change of it is seen wherever it is."""
# given: n in (0, 1)

item = {"size": 1}
boxes = [[], []]
boxes[n].append(item)
item["size"] = 2
item["new"] = []
answer_boxes = boxes
answer_item = item
found = (boxes[0] or boxes[1])[0]
answer_found = found["size"]
found["size"] = 3
answer_same = item["size"]
answer_count = len(boxes[0]) + len(boxes[1])
