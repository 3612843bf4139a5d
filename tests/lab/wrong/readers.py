"""Card readers that are wrong on purpose."""

from __future__ import annotations

from collections.abc import Sequence

from simulators.swipe import Card, WiredReader, card, report


class ChattersAlone(WiredReader):
    """Sends something though no card was drawn through."""

    def start(self) -> None:
        super().start()
        self._port.write(b"\0" * 8)


class TypesLikeAKeyboard(WiredReader):
    """Stands in keyboard mode: the stripe comes as text."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(held.track2.encode())


class SwallowsTheEnd(WiredReader):
    """Leaves the last track of a report away."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(report(held, bad)[:-110])


class StuttersTwice(WiredReader):
    """Sends every report twice."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(report(held, bad) * 2)


class ReadsEverybodyAlike(WiredReader):
    """Has read one card, and sends it for ever."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(report(card("6011000990139424"), bad))


class ReadsAnotherEveryTime(WiredReader):
    """Takes a digit for another one."""

    swipes = 0

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self.swipes += 1
        self._port.write(report(card(f"60110009901394{self.swipes:02}"), bad))


class GuessesHalfACard(WiredReader):
    """Fills in what it could not read."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(report(held))


WRONG_READERS: list[tuple[type[WiredReader], str]] = [
    (ChattersAlone, "swipe.says_nothing_by_itself"),
    (TypesLikeAKeyboard, "swipe.sends_one_report_a_swipe"),
    (SwallowsTheEnd, "swipe.sends_one_report_a_swipe"),
    (StuttersTwice, "swipe.sends_one_report_a_swipe"),
    (ReadsAnotherEveryTime, "swipe.knows_a_card_again"),
    (ReadsEverybodyAlike, "swipe.tells_cards_apart"),
    (GuessesHalfACard, "swipe.never_guesses_half_a_card"),
]
