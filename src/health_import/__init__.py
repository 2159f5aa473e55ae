"""The import of wearable data: a program that forms the four tables of `healthapi` from exports.

It is started by `healthapi import`.
"""
