"""Answers to the game's questions, by the subject they were asked under."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from controller.desk import Refusal
from controller.effects import Asked
from controller.games.war import betting, checking, device, powers, rulings, settling, shoe, source
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.war.game import WarGame

Args = dict[str, Any]
NEEDS_FACE = {("wrong_deck", "misread"), ("unknown", "enter"), ("unseen", "enter")}


def check(game: WarGame, asked: Asked, answer: str, args: Args) -> None:
    """Refuse an answer that cannot be carried out, before anything changes."""
    subject = asked.subject.partition(":")[0]
    if (subject, answer) in NEEDS_FACE and asked.evidence.get("card") != rulings.NO_CARD:
        args["face"] = rulings.face_told(args)
    if (subject, answer) in (("device_damage", "yes"), ("device_shoe", "shoe")):
        device.check_damaged(game, args)
    if (subject, answer) == ("double", "order"):
        faces = [str(face) for face in args.get("faces", [])]
        if sorted(faces) != sorted(str(face) for face in asked.evidence["faces"]):
            raise Refusal("bad_order", f"Name the same cards in their order: {', '.join(asked.evidence['faces'])}.")


def _late(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    betting.rule_late(game, str(asked.evidence["wager"]), answer)


def _choice(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    game.choose(int(asked.evidence["box"]), str(asked.evidence["player"]), answer)


def _silent(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    box, player = int(asked.evidence["box"]), str(asked.evidence["player"])
    if answer == "surrender":
        game.choose(box, player, "surrender")
    else:
        settling.ask_again(game, box, player)


def _no_stakes(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        rulings.void_no_stakes(game, by)
    else:
        rulings.go_on(game)


def _misplaced(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule" and "to" in asked.evidence:
        rulings.rebuild(game, rulings.listed(args, "withdraw"), by)
    elif answer == "rule":
        rulings.lost(game, game.rules.remedies["rebuild_failed"], [], by)
    else:
        rulings.go_on(game)


def _void_hand(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer != "rule":
        rulings.go_on(game)
        return
    powers.do_void_hand(game, [int(box) for box in asked.evidence["boxes"]], by)


def _void(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        rulings.lost(game, game.rules.remedies[str(asked.evidence["remedy"])], [], by)
    else:
        rulings.go_on(game)


def _cancel(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        powers.do_cancel(game, str(asked.evidence["remedy"]), [str(p) for p in asked.evidence["forfeit"]], by)
    else:
        rulings.go_on(game)


def _void_player(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        powers.do_void_player(game, str(asked.evidence["player"]), by)
    else:
        rulings.go_on(game)


def _invalid(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    if answer == "rule":
        powers.void_invalid(game, str(asked.evidence["player"]), by)
    else:
        rulings.go_on(game)


def _several(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    betting.rule_several(game, str(asked.evidence["player"]), answer, by)


TAKE: dict[str, Callable[[WarGame, Asked, str, Args, Person], None]] = {
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


def take(game: WarGame, asked: Asked, answer: str, args: Args, by: Person) -> None:
    """Carry out an answer."""
    TAKE[asked.subject.partition(":")[0]](game, asked, answer, args, by)
