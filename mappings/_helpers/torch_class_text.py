import re


def torch_class_text(layer):
    """What str() makes of the class of a layer, or of a class itself, in PyTorch: it has the module of that class."""
    kind = layer if isinstance(layer, type) else type(layer)
    if not (kind.__module__.startswith("mindspore.") or kind.__qualname__.startswith("Torch")):
        return str(kind)
    words = {
        "adaptive": "AdaptiveLog",
        "instancenorm": "InstanceNorm",
        "batchnorm": "BatchNorm",
        "normalization": "Norm|LRN",
        "conv": "Conv",
        "dropout": "Dropout",
        "padding": "Pad",
        "pooling": "[Pp]ool",
        "loss": "Loss",
        "sparse": "Embedding",
        "transformer": "Transformer",
        "rnn": "RNN|LSTM|GRU",
        "linear": "[Ll]inear|Identity",
        "container": "Sequential|List|Dict",
        "upsampling": "Upsampl",
        "pixelshuffle": "Pixel",
        "channelshuffle": "ChannelShuffle",
        "flatten": "[Ff]latten",
        "fold": "[Ff]old",
        "distance": "Cosine|Pairwise",
        "module": "^Module$",
    }
    name = torch_class_name(kind).replace("Cell", "Module")
    module = next((one for one, word in words.items() if re.search(word, name)), "activation")
    return f"<class 'torch.nn.modules.{module}.{name}'>"
