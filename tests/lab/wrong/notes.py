"""Devices that keep the link and their messages, and break a numbered note of their own page."""

from __future__ import annotations

from typing import Any

from firmware_specs.messages import cards as cards_wire
from firmware_specs.messages import shuffler as shuffler_wire
from firmware_specs.spec import Message
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong
from tests.lab.wrong.events import ForgetsEarly
from tests.lab.wrong.kinds import is_one, replace, tells


def _without(message: Any, area: int) -> Message | None:
    kept = [(tag, to) for tag, to in zip(message.added, message.to, strict=True) if to != area]
    if message.added and not kept and not message.removed:
        return None
    return replace(message, added=tuple(tag for tag, _ in kept), to=tuple(to for _, to in kept))


BlindInTheTray = tells("BlindInTheTray", "", lambda m: _without(m, 0) if is_one(m, "TagsChanged") else m)

NumbersItsAreasFromOne = tells(
    "NumbersItsAreasFromOne",
    "",
    lambda m: replace(m, to=tuple(area + 1 for area in m.to)) if is_one(m, "TagsChanged") else m,
)

NeverTellsWhatLeft = tells(
    "NeverTellsWhatLeft", "", lambda m: replace(m, removed=(), left=()) if is_one(m, "TagsChanged") else m
)

KeepsChipsOnTheLine = tells("KeepsChipsOnTheLine", "", lambda m: None if is_one(m, "EdgeCleared") else m)

PicturesAnEmptyMat = tells(
    "PicturesAnEmptyMat", "", lambda m: replace(m, tags=(), total=0) if is_one(m, "Inventory") else m
)

SwapsBoardAndBurnPile = tells(
    "SwapsBoardAndBurnPile",
    "",
    lambda m: replace(m, to=tuple({13: 14, 14: 13}.get(to, to) for to in m.to)) if is_one(m, "CardsMoved") else m,
)

NamesTagsItsOwnWay = tells(
    "NamesTagsItsOwnWay",
    "",
    lambda m: (
        replace(m, added=tuple(tag ^ 1 << 40 for tag in m.added), removed=tuple(tag ^ 1 << 40 for tag in m.removed))
        if is_one(m, "CardsMoved")
        else m
    ),
)


class TellsAMoveInTwo(DeviceLink):
    """Tells where a card came to, and only then that it left."""

    def post(self, message: Message) -> int:
        if isinstance(message, cards_wire.CardsMoved) and message.added and message.removed:
            super().post(replace(message, removed=(), left=()))
            return super().post(replace(message, added=(), to=()))
        return super().post(message)


class TellsEveryCardTwice(DeviceLink):
    """Tells a card when it is seen, and again when it is out."""

    def post(self, message: Message) -> int:
        if is_one(message, "CardOut"):
            super().post(message)
        return super().post(message)


OneNumberForEveryCard = tells("OneNumberForEveryCard", "", lambda m: replace(m, draw=1) if is_one(m, "CardOut") else m)

CountsRanksFromTheAce = tells(
    "CountsRanksFromTheAce",
    "",
    lambda m: replace(m, card=1 + (m.card - 1) // 13 * 13 + m.card % 13) if is_one(m, "CardOut") and m.card else m,
)


class DealsUntilItForgets(DeviceLink):
    """Leaves its gate open whatever room is left."""

    @property
    def nearly_full(self) -> bool:
        return False


class PresentsEveryCard(DeviceLink):
    """Tells of every card first that it stands in the mouth."""

    def post(self, message: Message) -> int:
        if isinstance(message, shuffler_wire.CardOut):
            super().post(shuffler_wire.CardPresented(message.at, message.draw))
        return super().post(message)


class PresentsUnasked(DeviceLink):
    """Goes on presenting cards when it sorts."""

    def post(self, message: Message) -> int:
        number = super().post(message)
        if isinstance(message, shuffler_wire.ModeChanged) and message.mode is shuffler_wire.Mode.SORT:
            super().post(shuffler_wire.CardPresented(message.at, 1))
        return number


CountsAnotherRing = tells(
    "CountsAnotherRing", "", lambda m: replace(m, peak=m.peak * 2, rest=m.rest * 2) if is_one(m, "SpinRested") else m
)

CountsHalfThePitches = tells(
    "CountsHalfThePitches", "", lambda m: replace(m, pitches=m.pitches[::2]) if is_one(m, "TurnPassed") else m
)

CountsEveryMarkTwice = tells(
    "CountsEveryMarkTwice", "", lambda m: replace(m, indexes=m.indexes * 2) if is_one(m, "TurnPassed") else m
)

RestsTooSoon = tells("RestsTooSoon", "", lambda m: replace(m, still=300) if is_one(m, "SpinRested") else m)


WRONG = [
    Wrong(BlindInTheTray, "chips", "notes.tells_a_tag_where_it_lies", "chips N1"),
    Wrong(NumbersItsAreasFromOne, "chips", "notes.tells_a_tag_where_it_lies", "chips N2"),
    Wrong(NeverTellsWhatLeft, "chips", "notes.tells_a_tag_where_it_lies", "chips N3"),
    Wrong(KeepsChipsOnTheLine, "chips", "notes.tells_a_tag_where_it_lies", "chips N3"),
    Wrong(PicturesAnEmptyMat, "chips", "notes.tells_its_picture_to_who_lost_it", "chips N4"),
    Wrong(SwapsBoardAndBurnPile, "cards", "notes.tells_a_card_where_it_lies", "cards N1"),
    Wrong(NamesTagsItsOwnWay, "cards", "notes.tells_a_card_where_it_lies", "cards N2"),
    Wrong(TellsAMoveInTwo, "cards", "notes.tells_a_card_where_it_lies", "cards N3"),
    Wrong(TellsEveryCardTwice, "shoe", "notes.tells_each_card_of_a_shoe_once", "shoe N2"),
    Wrong(OneNumberForEveryCard, "shoe", "notes.tells_each_card_of_a_shoe_once", "shoe N2"),
    Wrong(CountsRanksFromTheAce, "shoe", "notes.tells_each_card_of_a_shoe_once", "shoe N3"),
    Wrong(DealsUntilItForgets, "shoe", "notes.holds_cards_back_before_it_forgets", "shoe N4"),
    Wrong(PresentsUnasked, "shuffler", "notes.presents_by_itself_only_when_it_deals", "shuffler N2"),
    Wrong(PresentsEveryCard, "shuffler", "notes.tells_each_card_of_a_shuffler_once", "shuffler N3"),
    Wrong(TellsEveryCardTwice, "shuffler", "notes.tells_each_card_of_a_shuffler_once", "shuffler N3"),
    Wrong(CountsRanksFromTheAce, "shuffler", "notes.tells_each_card_of_a_shuffler_once", "shuffler N4"),
    Wrong(DealsUntilItForgets, "shuffler", "notes.holds_cards_back_before_it_forgets", "shuffler N5"),
    Wrong(CountsAnotherRing, "wheel", "notes.keeps_a_whole_spin", "wheel N2"),
    Wrong(CountsHalfThePitches, "wheel", "notes.keeps_a_whole_spin", "wheel N2"),
    Wrong(ForgetsEarly, "wheel", "notes.keeps_a_whole_spin", "wheel N3"),
    Wrong(RestsTooSoon, "wheel", "notes.keeps_a_whole_spin", "wheel N5"),
    Wrong(CountsEveryMarkTwice, "wheel", "notes.keeps_a_whole_spin", "wheel N4"),
]
