"""The desktop agent: a program that reads what a computer is doing and sends it to a service.

It is started by `devicestatus agent` and `devicestatus push`.  The engine of agents, which any
agent imports, is `devicestatus.agent`.
"""
