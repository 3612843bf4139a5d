"""Answers to the game's questions, by the subject they were asked under."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked
from controller.games.war import betting, checking, device, doubts, powers, rulings, settling, shoe, source
from controller.games.war.asking import face_told, listed
from controller.games.war.keys import WITHDRAW
from controller.games.war.play import War
from controller.people import Person

Args = dict[str, Any]
FACE = Ask("face", "card", "The card is")
ORDER = Ask("faces", "choice", "Which came first", several=True)
BOXES = Ask("boxes", "numbers", "Boxes that are void, all of the round if none is named", optional=True)
DAMAGED = Ask("damaged", "names", "Damaged cards (such as 5H, JD)", optional=True)
COUNT = Ask("count", "number", "Cards counted")

ASKS: dict[tuple[str, str], tuple[Ask, ...]] = {
    ("wrong_deck", "misread"): (FACE,),
    ("unknown", "enter"): (FACE,),
    ("unseen", "enter"): (FACE,),
    ("double", "order"): (ORDER,),
    ("misplaced", "rule"): (WITHDRAW,),
    ("count", "complete"): (COUNT,),
    ("count", "wrong"): (COUNT,),
    ("device", "void"): (BOXES,),
    ("device_damage", "yes"): (DAMAGED,),
    ("device_shoe", "shoe"): (WITHDRAW, DAMAGED),
}
"""What is told with an answer, by subject and answer."""


def asks(game: War, asked: Asked, answer: str) -> tuple[Ask, ...]:
    """What is told with this answer to this question."""
    subject, evidence = asked.subject.partition(":")[0], asked.evidence
    told = ASKS.get((subject, answer), ())
    if told == (ORDER,):
        one, two = (str(face) for face in evidence["faces"])
        return (msgspec.structs.replace(ORDER, choices=((f"{one} {two}", one), (f"{two} {one}", two))),)
    needless = {
        FACE: evidence.get("card") == doubts.NO_CARD,
        BOXES: game.rules.remedies["device_fault"].returns != "hand",
        WITHDRAW: subject == "misplaced" and not evidence.get("withdraw_first"),
    }
    return tuple(each for each in told if not needless.get(each))


def check(game: War, asked: Asked, answer: str, args: Args) -> None:
    """Refuse an answer that cannot be carried out, before anything changes."""
    subject = asked.subject.partition(":")[0]
    if FACE in ASKS.get((subject, answer), ()) and asked.evidence.get("card") != doubts.NO_CARD:
        args["face"] = face_told(args)
    if (subject, answer) in (("device_damage", "yes"), ("device_shoe", "shoe")):
        device.check_damaged(game, args)
    if (subject, answer) == ("double", "order"):
        faces = [str(face) for face in args.get("faces", [])]
        if sorted(faces) != sorted(str(face) for face in asked.evidence["faces"]):
            raise Refusal("bad_order", f"Name the same cards in their order: {', '.join(asked.evidence['faces'])}.")


def _late(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    betting.rule_late(game, str(asked.evidence["wager"]), answer)


def _choice(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    settling.choose(game, int(asked.evidence["box"]), str(asked.evidence["player"]), answer)


def _silent(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    box, player = int(asked.evidence["box"]), str(asked.evidence["player"])
    if answer == "surrender":
        settling.choose(game, box, player, "surrender")
    else:
        settling.ask_again(game, box, player)


def _no_stakes(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        doubts.void_no_stakes(game, by)
    else:
        rulings.go_on(game)


def _misplaced(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule" and "to" in asked.evidence:
        rulings.rebuild(game, listed(args, "withdraw"), by)
    elif answer == "rule":
        rulings.lost(game, game.rules.remedies["rebuild_failed"], [], by)
    else:
        rulings.go_on(game)


def _void_hand(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer != "rule":
        rulings.go_on(game)
        return
    powers.do_void_hand(game, [int(box) for box in asked.evidence["boxes"]], by)


def _void(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        rulings.lost(game, game.rules.remedies[str(asked.evidence["remedy"])], [], by)
    else:
        rulings.go_on(game)


def _cancel(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        powers.do_cancel(game, str(asked.evidence["remedy"]), [str(p) for p in asked.evidence["forfeit"]], by)
    else:
        rulings.go_on(game)


def _void_player(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        powers.do_void_player(game, str(asked.evidence["player"]), by)
    else:
        rulings.go_on(game)


def _invalid(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        powers.void_invalid(game, str(asked.evidence["player"]), by)
    else:
        rulings.go_on(game)


def _several(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    betting.rule_several(game, str(asked.evidence["player"]), answer, by)


TAKE: dict[str, Callable[[War, Asked, str, Args, Person], None]] = {
    "late": _late,
    "several": _several,
    "choice": _choice,
    "silent": _silent,
    "surplus": rulings.answer_surplus,
    "unknown": rulings.answer_unknown,
    "unseen": source.answer_unseen,
    "double": rulings.answer_double,
    "wrong_deck": rulings.answer_wrong_deck,
    "no_stakes": _no_stakes,
    "misplaced": _misplaced,
    "void_hand": _void_hand,
    "void_round": _void,
    "misdeal": _void,
    "cancel": _cancel,
    "void_player": _void_player,
    "invalid": _invalid,
    "cut": shoe.answer_cut,
    "count": checking.answer_count,
    "sequence": shoe.answer_sequence,
    "device": device.answer_device,
    "device_harm": device.answer_step,
    "device_spare": device.answer_step,
    "device_transfer": device.answer_step,
    "device_damage": device.answer_step,
    "device_shoe": device.answer_shoe,
}


def take(game: War, asked: Asked, answer: str, args: Args, by: Person) -> None:
    """Carry out an answer."""
    TAKE[asked.subject.partition(":")[0]](game, asked, answer, args, by)
