def torch_fill_colour(img, fill):
    """What PIL fills the rest of an image with, for torchvision's `fill`: a number for each of its bands."""
    bands = len(img.getbands())
    if bands > 1 and isinstance(fill, (int, float)):
        return (int(fill),) * bands
    return tuple(fill) if isinstance(fill, list) else fill
