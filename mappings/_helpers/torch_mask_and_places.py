def torch_mask_and_places(found):
    """The values and indices that were found in a mask that was counted with: values are truth values again."""
    values, places = found
    return values.bool(), places
