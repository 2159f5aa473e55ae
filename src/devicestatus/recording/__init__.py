"""What a recorder keeps: the history of a session, its gaps, and the text of its window."""
