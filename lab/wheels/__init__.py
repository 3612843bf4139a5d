"""Wheels that are not ours: a population of hand-spun wheels, written from physics, that judge the motion analysis.

Nothing in here imports the analysis' own simulator (`simulators.wheel_physics`) or the analysis (`drivers.motion`),
except the bench, which holds one against the other.
"""
