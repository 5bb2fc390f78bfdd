def torch_register_kl(type_p, type_q):
    """PyTorch's register_kl: the function below is the divergence of these classes, for TorchKlDivergence."""

    def registered(formula):
        vars(TorchKlDivergence).setdefault("formulas", {})[type_p, type_q] = formula
        return formula

    return registered
