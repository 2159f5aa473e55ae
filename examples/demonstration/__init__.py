"""The parts of the demonstration (see `demo.py` beside this folder).

`running` starts a server and an agent; `past` makes up what is played back first; `probes` asks a
server for something and checks the response; the rounds ask for everything of a product.
"""
