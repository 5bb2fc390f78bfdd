import torch

from penalty import gradient_penalty

lambda_gp = 10
n_critic = 2


def train(generator, critic, batches, lr=1e-3, b1=0.5, b2=0.9):
    """batches: real images, noise and where between real and generated images the penalty is taken."""
    optimizer_G = torch.optim.Adam(generator.parameters(), lr=lr, betas=(b1, b2))
    optimizer_D = torch.optim.Adam(critic.parameters(), lr=lr, betas=(b1, b2))

    d_losses, g_losses = [], []
    for i, (real_imgs, z, alpha) in enumerate(batches):
        # ---------------------
        #  Train the critic
        # ---------------------
        optimizer_D.zero_grad()
        fake_imgs = generator(z).detach()
        penalty = gradient_penalty(critic, real_imgs, fake_imgs, alpha)
        d_loss = -torch.mean(critic(real_imgs)) + torch.mean(critic(fake_imgs)) + lambda_gp * penalty
        d_loss.backward()
        optimizer_D.step()
        d_losses.append(d_loss.item())

        if i % n_critic == n_critic - 1:
            # -----------------
            #  Train Generator
            # -----------------
            optimizer_G.zero_grad()
            g_loss = -torch.mean(critic(generator(z)))
            g_loss.backward()
            optimizer_G.step()
            g_losses.append(g_loss.item())
            print("[Batch %d] [D loss: %f] [G loss: %f]" % (i, d_loss.item(), g_loss.item()))
    return d_losses, g_losses
