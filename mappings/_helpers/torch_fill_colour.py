def torch_fill_colour(img, fill):
    """What PIL fills the rest of an image with, for torchvision's `fill`: a number for each of its bands."""
    bands = len(img.getbands())
    colour = [fill or 0] if not isinstance(fill, (list, tuple)) else list(fill)
    colour = colour * bands if len(colour) == 1 else colour
    if img.mode == "F":
        return colour[0]
    return int(colour[0]) if bands == 1 else tuple(int(one) for one in colour)
