def torch_record():
    """Records a program that has no optimizer from here on, so that `torch_backward` and `torch_grad` give gradients of
    what it computes. Once is enough; further calls do nothing."""
    TorchRecording.current().start()
