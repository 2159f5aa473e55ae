"""How a git repository is read: its program, its references, its tree, its commits, their changes."""
