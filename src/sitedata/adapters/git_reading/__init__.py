"""How git is asked: the program, references, the tree, commits, what they changed."""
