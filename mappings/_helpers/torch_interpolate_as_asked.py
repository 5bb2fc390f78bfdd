def torch_interpolate_as_asked(
    input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias
):
    """PyTorch's functional.interpolate where only the program knows whether it is to smooth."""
    if not antialias:
        return torch_interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)
    if align_corners:
        return torch_interpolate_by_corners(input, size, scale_factor, mode)
    return torch_interpolate_antialiased(input, size, scale_factor, mode, recompute_scale_factor)
