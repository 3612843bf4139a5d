"""The alarms of the table's money: chips that are none of this table, the float, what is taken and paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.alarms import Alarm, Alarms
from controller.core.desk import Clauses
from controller.money import float_tray
from controller.money.strange import chip_clauses, kind_called

if TYPE_CHECKING:
    from controller.money.table_money import Money


class Foreign(Alarm["Money"]):
    """A chip that is no wager here; `strange.py` has the words and the remedy of each kind."""

    code, about = "foreign", int
    text = "{what} lies {where}; it is no wager."
    remedy = "{then}"
    what: str
    where: str
    then: str

    def why(self, owner: Money) -> Clauses:
        return chip_clauses(owner.layout.clauses, kind_called(self.what))

    @staticmethod
    def while_(money: Money, tag: int) -> bool:
        """While it lies at the table."""
        return money.place_of(tag) is not None


class Cloned(Alarm["Money"]):
    """One tag cannot be in two places."""

    code, about = "cloned", int
    text = "One chip is read in two places at once: {first} and {second}; there are two with one tag."
    remedy = "Keep both chips and call Surveillance; the one that came last is no wager."
    first: str
    second: str

    def why(self, owner: Money) -> Clauses:
        return owner.layout.clauses.get("foreign", ())

    @staticmethod
    def while_(money: Money, tag: int) -> bool:
        """Until one of the two is gone."""
        return tag in money.state.cloned


class FloatEmpty(Alarm["Money"]):
    """Nothing can be followed in a tray that is not seen."""

    code = "float_empty"
    text = "No chips lie in the float tray, so what is paid from it cannot be followed."
    remedy = "Fill the tray before the table is opened; where it has no antennas, set float_tray = false in [chips]."

    @staticmethod
    def while_(money: Money, _: str) -> bool:
        """Until the table opens with chips in its tray."""
        return money.has_tray and not money.state.watched


class FloatCount(Alarm["Money"]):
    """The tray and the paper differ."""

    code = "float_count"
    text = "The float {when} with {value}, but {differences}."
    remedy = "Count the tray with a supervisor and enter the count (“Count the float”)."
    seen_to = "resume"
    when: str
    value: str
    differences: str

    @staticmethod
    def while_(money: Money, _: str) -> bool:
        """Until the float is opened, closed or counted with what it should hold."""
        return money.state.miscounted


class Unsigned(Alarm["Money"]):
    """One signature is not enough for this booking."""

    code, about = "unsigned", int
    text = "{what}: signed by {by}, and waits for a second signature; nothing is booked yet."
    remedy = "Another member of staff signs it (“Sign a booking”), or it is withdrawn."
    what: str
    by: str

    @staticmethod
    def while_(money: Money, booking: int) -> bool:
        """Until somebody else has signed it, or it is withdrawn."""
        return str(booking) in money.state.books.waiting


class OtherChips(Alarm["Money"]):
    """The value is right, and the chips are not those of the slip."""

    code = "other_chips"
    text = "The chips that came or went are not those of their slip: {differences}."
    remedy = "Count them with a supervisor; exchange them, or have the slip written anew."
    seen_to = "resume"
    differences: str


class BoxCount(Alarm["Money"]):
    """The drop box and the cash that was booked differ."""

    code = "box_count"
    text = "The drop box held {found}, {off} than the {should} for which chips were sold."
    remedy = "Count the box again with a supervisor; correct the count or the buy-in that was booked wrongly."
    seen_to = "resume"
    found: str
    off: str
    should: str


class FloatUnexplained(Alarm["Money"]):
    """Chips left the tray or came to it, and nobody said why."""

    code = "float"
    text = "{what}, and no settlement or booking explains it: {chips}.{unsure}"
    remedy = "Enter the fill, credit or buy-in it belongs to, put the chips back, or have a supervisor explain it."
    what: str
    chips: str
    unsure: str

    @staticmethod
    def while_(money: Money, _: str) -> bool:
        """Until every chip of it is back, booked, or explained."""
        return (money.state.watched or money.state.unseen) and money.state.tray.unexplained


class FloatNotSeen(Alarm["Money"]):
    """Nobody read the chips while it was played by hand, so nobody is accused."""

    code = "float_not_seen"
    text = "The float holds {how} than was keyed while it was played without the chip mat: those chips were not seen."
    remedy = "Count the tray with a supervisor, look for a payment that was keyed wrongly, and explain the float."
    how: str

    @staticmethod
    def while_(money: Money, _: str) -> bool:
        """Until it is explained."""
        return bool(money.state.tray.unseen)


class FloatShort(Alarm["Money"]):
    """A fill should be on its way before the winners wait for it."""

    code = "float_short"
    text = "Fill needed: {lacks}."
    remedy = "Call for a fill, and pay no more than is due."
    lacks: str

    @staticmethod
    def while_(money: Money, _: str) -> bool:
        """Until the float can make what must be paid, or the round is over."""
        return bool(float_tray.lacks(money))


class TakeAndPay(Alarm["Money"]):
    """What was taken and paid is not what the settlement asks."""

    code = "take_and_pay"
    text = "{findings}"
    remedy = "{steps}"
    findings: str
    steps: str

    def why(self, owner: Money) -> Clauses:
        return owner.layout.clauses.get("pay", ())

    @staticmethod
    def while_(money: Money, _: str) -> bool:
        """Until it is put right, or taken as it is."""
        return bool(money.still_wrong())


ALARMS: Alarms[Money] = Alarms(
    Foreign,
    Cloned,
    FloatEmpty,
    FloatCount,
    Unsigned,
    OtherChips,
    BoxCount,
    FloatUnexplained,
    FloatNotSeen,
    FloatShort,
    TakeAndPay,
)
