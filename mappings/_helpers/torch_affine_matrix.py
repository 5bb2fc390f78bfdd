import math


def torch_affine_matrix(center, angle, translate=(0.0, 0.0), scale=1.0, shear=(0.0, 0.0)):
    """Where each place of an image that is turned, moved, scaled and sheared comes from: two rows of three numbers."""
    turn, (shear_x, shear_y) = math.radians(angle), (math.radians(part) for part in shear)
    along, across = turn - shear_y, math.cos(shear_y)
    a, b = math.cos(along) / across, -math.cos(along) * math.tan(shear_x) / across - math.sin(turn)
    c, d = math.sin(along) / across, -math.sin(along) * math.tan(shear_x) / across + math.cos(turn)
    rows = []
    for (x, y), middle in zip(((d / scale, -b / scale), (-c / scale, a / scale)), center):
        rows += [x, y, middle - x * (center[0] + translate[0]) - y * (center[1] + translate[1])]
    return rows
