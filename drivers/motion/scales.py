"""The speeds at which a wheel's losses are held, and the stretches into which a spin is cut."""

from __future__ import annotations

KNOTS = (4.0, 6.0, 9.0, 13.0, 18.0, 25.0, 34.0, 44.0, 56.0, 70.0, 86.0, 105.0, 130.0)  # compartments/s
STRETCHES = (  # from this speed on, so many compartments
    (85.0, 26), (70.0, 26), (45.0, 26), (26.0, 13), (17.0, 6), (11.0, 3), (0.0, 2),
)  # fmt: skip
EARLY_S = 1.5  # the stand may still sway from the launch, so these are classes of their own, after the others
MIDDLING = (95.0, 77.0, 57.0, 35.0, 21.0, 14.0, 8.0)  # compartments/s, of each class
CLASSES = 2 * len(STRETCHES)
