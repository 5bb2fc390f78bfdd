def torch_spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """PyTorch's multiprocessing.spawn for one process, which is this one."""
    if nprocs > 1:
        raise RuntimeError(
            f"start {nprocs} processes with `msrun --worker_num={nprocs} --local_worker_num={nprocs}`"
        )
    if nprocs == 1:
        fn(0, *args)
