"""Wheel motion analysis: from the evidence of a spin to a verdict that can be replayed."""

from drivers.motion.judge import follow, judge, refused
from drivers.motion.learn import CalibrationTrouble, learn
from drivers.motion.natural import Natural
from drivers.motion.profile import Geometry, WheelProfile, simulated_wheel
from drivers.motion.trace import BadTrace, Trace, lost_trace
from drivers.motion.verdict import Finding, SpinVerdict

__all__ = [
    "BadTrace",
    "CalibrationTrouble",
    "Finding",
    "Geometry",
    "Natural",
    "SpinVerdict",
    "Trace",
    "WheelProfile",
    "follow",
    "judge",
    "learn",
    "lost_trace",
    "refused",
    "simulated_wheel",
]
