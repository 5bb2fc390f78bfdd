import torch


class BurgersSolver:
    """Burgers' equation with two unknown coefficients, found from samples of its solution."""

    def __init__(self, net, x, t, u, lr=1e-2):
        self.net = net
        self.x = torch.tensor(x, requires_grad=True).float()
        self.t = torch.tensor(t, requires_grad=True).float()
        self.u = torch.tensor(u).float()
        self.lambda_1 = torch.nn.Parameter(torch.tensor([0.0], requires_grad=True))
        self.lambda_2 = torch.nn.Parameter(torch.tensor([-3.0], requires_grad=True))
        self.net.register_parameter("lambda_1", self.lambda_1)
        self.net.register_parameter("lambda_2", self.lambda_2)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

    def net_u(self, x, t):
        return self.net(x, t)

    def net_f(self, x, t):
        u = self.net_u(x, t)
        u_t = torch.autograd.grad(
            u, t, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True
        )[0]
        u_x = torch.autograd.grad(
            u, x, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True
        )[0]
        u_xx = torch.autograd.grad(
            u_x, x, grad_outputs=torch.ones_like(u_x), retain_graph=True, create_graph=True
        )[0]
        return u_t + self.lambda_1 * u * u_x - torch.exp(self.lambda_2) * u_xx

    def train(self, iterations):
        history = []
        for it in range(iterations):
            u_pred = self.net_u(self.x, self.t)
            f_pred = self.net_f(self.x, self.t)
            loss = torch.mean((self.u - u_pred) ** 2) + torch.mean(f_pred ** 2)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            history.append(loss.item())
        return history
