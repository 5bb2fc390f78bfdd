import hashlib
import pathlib
import shutil
import urllib.request


def torch_download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """PyTorch's hub.download_url_to_file, which leaves no half of a file behind, but shows no progress."""
    request = urllib.request.Request(
        url, headers={"User-Agent": "torch.hub"}
    )  # some servers refuse Python's own
    path = pathlib.Path(dst).expanduser()
    partial = path.with_name(f"{path.name}.partial")
    try:
        with urllib.request.urlopen(request) as source, partial.open("wb") as file:
            shutil.copyfileobj(source, file)
        found = hashlib.sha256(partial.read_bytes()).hexdigest() if hash_prefix is not None else ""
        if hash_prefix is not None and not found.startswith(hash_prefix):
            raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{found}")')
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
