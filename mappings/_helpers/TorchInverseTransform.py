class TorchInverseTransform:
    """The inverse of a transform, as PyTorch's `inv`."""

    def __init__(self, transform):
        self.inv = transform
        self.bijective = transform.bijective

    @property
    def domain(self):
        return self.inv.codomain

    @property
    def codomain(self):
        return self.inv.domain

    @property
    def sign(self):
        return self.inv.sign

    def __call__(self, x):
        return self.inv._inv_call(x)

    def _inv_call(self, y):
        return self.inv(y)

    def log_abs_det_jacobian(self, x, y):
        return -self.inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self.inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self.inv.forward_shape(shape)
