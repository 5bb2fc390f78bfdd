import pathlib
import re
import urllib.parse


def torch_load_state_dict_from_url(
    url,
    model_dir=None,
    map_location=None,
    progress=True,
    check_hash=False,
    file_name=None,
    weights_only=False,
):
    """PyTorch's hub.load_state_dict_from_url: fetches a file once, into the folder where PyTorch keeps it, too."""
    folder = pathlib.Path(model_dir or f"{torch_hub_home()}/hub/checkpoints")
    path = folder / (file_name or pathlib.PurePosixPath(urllib.parse.urlparse(url).path).name)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        named = re.search(r"-([a-f0-9]*)\.", path.name) if check_hash else None
        torch_download_url_to_file(url, str(path), named and named[1], progress=progress)
    return torch_load(str(path), weights_only=weights_only)
