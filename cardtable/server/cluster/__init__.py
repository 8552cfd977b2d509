"""Several processes that serve one site over one database."""
