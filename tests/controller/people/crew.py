"""People of a register for tests, their PIN and what is kept of it."""

from __future__ import annotations

from controller.people.staff import Member, Staff, hashed_pin

SALT = bytes(range(16))
PIN = "280571"
KEPT = hashed_pin(PIN, SALT)


def people() -> Staff:
    return Staff(
        {
            "S1": Member("S1", "Alex", {"melbourne-wheel": "dealer"}, "card1"),
            "S2": Member("S2", "Billie", {"melbourne-wheel": "HDD"}, "card2"),
            "S3": Member("S3", "Casey", {"melbourne-wheel": "AM", "star-war": "dealer"}, "card3", KEPT),
            "S9": Member("S9", "Nick", {"star-war": "GM"}, "card9", KEPT),
        }
    )
