"""Wheel motion analysis: from the evidence of a spin to a verdict that can be replayed."""

from drivers.motion.judge import judge
from drivers.motion.learn import CalibrationTrouble, learn
from drivers.motion.profile import Geometry, WheelProfile, simulated_wheel
from drivers.motion.trace import BadTrace, Trace, lost_trace
from drivers.motion.verdict import Finding, SpinVerdict

__all__ = [
    "BadTrace",
    "CalibrationTrouble",
    "Finding",
    "Geometry",
    "SpinVerdict",
    "Trace",
    "WheelProfile",
    "judge",
    "learn",
    "lost_trace",
    "simulated_wheel",
]
