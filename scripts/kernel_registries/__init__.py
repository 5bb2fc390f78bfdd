"""Which kernels an installed MindSpore registers for each device, and which primitives its API runs as."""
