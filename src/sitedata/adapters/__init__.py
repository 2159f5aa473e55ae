"""What touches the world: git, files, HTTP, the command."""
