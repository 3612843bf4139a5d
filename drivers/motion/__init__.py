"""Wheel motion analysis: from the evidence of a spin to a verdict that can be replayed.

What a wheel is like is learnt in `drivers.motion.learn`, at calibration and not at the table.
"""

from drivers.motion.judge import follow, judge, refused
from drivers.motion.natural import Natural
from drivers.motion.profile import Geometry, WheelProfile, simulated_wheel
from drivers.motion.trace import BadTrace, Trace, lost_trace
from drivers.motion.verdict import Finding, SpinVerdict

__all__ = [
    "BadTrace",
    "Finding",
    "Geometry",
    "Natural",
    "SpinVerdict",
    "Trace",
    "WheelProfile",
    "follow",
    "judge",
    "lost_trace",
    "refused",
    "simulated_wheel",
]
