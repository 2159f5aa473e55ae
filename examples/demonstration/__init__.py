"""The parts of the demonstration (see `demo.py` beside this folder).

`running` starts a server and an agent; `past` invents the first minutes of playback; `probes` sends
requests and checks the responses; `pages` has the settings of the pages; each round requests every
endpoint of a product.
"""
