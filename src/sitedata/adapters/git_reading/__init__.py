"""Read git repositories: the program, references, commits and their changes."""
