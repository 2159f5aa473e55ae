"""The program `healthapi import`, which forms the four tables of `healthapi` from exports."""
