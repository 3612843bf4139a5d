"""The story of the cards and of a round, row by row: what can happen, where it leads, and what it brings with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from controller.core.effects import Moved
from controller.core.machine import Row, interrupt, resume
from controller.games.war import betting, booking, checking, chips, dealing, rounds, rulings, settling, shoe, spoken
from controller.games.war.play import War
from controller.games.war.rules import Clauses
from controller.games.war.state import DRAWING, IN_ROUND, PLAYING, SECOND_DEAL
from controller.people import Person

SHUFFLING = ("reshuffling", "recutting")
ROWS = (
    # the life of the cards
    Row("cards_ready", "unchecked", "unshuffled", then="if_pre_shuffled"),
    Row("cards_away", ("unchecked", "unshuffled", "uncut", "betting", "over"), "unchecked", action="let_session_go"),
    Row("wrong_count", "unchecked", "blocked"),
    Row("cards_released", "blocked", "unshuffled", action="release_cards"),
    Row("cards_replaced", ("unshuffled", "betting", "blocked"), "unchecked", action="take_new_cards"),
    Row("shuffled", "unshuffled", "uncut", "cut_needed", action="take_shuffle", then="offer_cut"),
    Row("shuffled", "unshuffled", "burning", "burn_needed", action="take_shuffle", then="begin_burn"),
    Row("shuffled", "unshuffled", "betting", action="take_shuffle", then=("use_cards", "open_bets")),
    Row("cut", "uncut", "burning", "burn_needed", then="begin_burn"),
    Row("cut", "uncut", "betting", then=("use_cards", "open_bets")),
    Row("burned", "burning", "betting", then="open_bets"),
    Row("shuffle", "betting", "unshuffled"),
    Row("nothing_to_deal", ("betting", "closed"), "unshuffled"),
    Row(
        "cutting_card_first",
        ("burning", "betting", "closed"),
        "unshuffled",
        action="rule_shuffle_at_once",
        then="say_shuffle_at_once",
    ),
    # bets
    Row("close_bets", "betting", "closed", then="call_no_more_bets"),
    Row("reopen_bets", "closed", "betting", then="open_bets"),
    Row(
        "cards_found_wrong",
        ("unshuffled", "uncut", "burning", "betting", "closed"),
        "over",
        action="void_stakes",
        then="end_void_round",
    ),
    # the first deal
    Row("first_card", "betting", "dealing", action=("say_not_called", "freeze_stakes"), then="take_parked"),
    Row("first_card", "closed", "dealing", action="freeze_stakes", then="take_parked"),
    Row("first_card", "unshuffled", "dealing", "cards_in_use", ("rule_shuffle_missed", "freeze_stakes"), "take_parked"),
    Row("parked_card", "closed", "dealing", action="freeze_stakes", then=("take_parked", "deal_on")),
    Row("first_dealt", "dealing", "interim", then=("settle_interim", "feed_discards")),
    Row("interim_settled", "interim", "choosing", "ties_open", then="offer_choices"),
    Row("interim_settled", "interim", "over", then="end_settled_round"),
    # war or surrender, the second deal
    Row("chosen", "choosing", "war_burning", "war_burns", action="end_choosing", then=("lay_out_war", "deal_on")),
    Row("chosen", "choosing", "war_dealing", "at_war", action="end_choosing", then=("lay_out_war", "deal_on")),
    Row("chosen", "choosing", "over", then="end_settled_round"),
    Row("war_burned", "war_burning", "war_dealing", then="play_on"),
    Row("war_dealt", "war_dealing", "final", then="settle_final"),
    Row("final_settled", "final", "over", then="end_settled_round"),
    # the end, and what begins then
    Row("settled_otherwise", ("interim", "choosing", "final"), "over", then="end_settled_round"),
    Row("voided", PLAYING, "over", action="void_stakes", then="end_void_round"),
    Row("voided", SHUFFLING, "over", action=("void_stakes", "shuffle_anew"), then="end_void_round"),
    Row("next_round", "over", "blocked", "cards_blocked", action="clear_layout", then=("lay_chips", "say_what_blocks")),
    Row(
        "next_round",
        "over",
        "unshuffled",
        "cards_cleared",
        action=("clear_layout", "release_cards"),
        then=("lay_chips", "ask_for_shuffle"),
    ),
    Row(
        "next_round",
        "over",
        "unshuffled",
        "shuffle_is_due",
        action="clear_layout",
        then=("lay_chips", "ask_for_shuffle"),
    ),
    Row("next_round", "over", "betting", action="clear_layout", then=("lay_chips", "open_bets")),
    # back to an earlier part of the round
    Row("misread", "interim", "dealing", then="take_up"),
    Row("misread", "ruling", "dealing", "was_at_interim", then="take_up"),
    Row("misread", "final", "war_dealing", then="take_up"),
    Row("misread", "ruling", "war_dealing", "was_at_final", then="take_up"),
    Row("rebuilt", PLAYING, "dealing", then="take_up"),
    Row("choice_missed", ("choosing", *SECOND_DEAL), "choosing", then="offer_choices"),
    Row("second_deal_mended", SECOND_DEAL, "war_dealing", then="take_up"),
    # standing still
    interrupt("irregular", IN_ROUND, "ruling", then="ask_for_ruling"),
    resume("ruled", "ruling", then="play_on"),
    interrupt("out_of_cards", DRAWING, "reshuffling", action="name_no_cutter"),
    Row("finish_from_shoe", "ruling", "reshuffling", action="name_no_cutter"),
    Row("shuffled", "reshuffling", "recutting", "cut_needed", action="take_reshuffle", then="offer_cut"),
    resume("shuffled", "reshuffling", action=("take_reshuffle", "burn_again"), then="deal_on"),
    resume("cut", "recutting", action="burn_again", then="deal_on"),
)


class Consequences(War):
    """The model of the round machine: guards, and what each row brings with it."""

    def moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        self.desk.emit(Moved(machine, source, dest, trigger))

    # -- guards ------------------------------------------------------------------------------------------------

    def cut_needed(self, *shuffle: object) -> bool:
        return self.state.supply.source == "shoe"

    def burn_needed(self, *shuffle: object) -> bool:
        rules = self.rules.shoe
        if rules.start_burn == "none" or (rules.start_burn_optional and not self.config.start_burn):
            return False
        if self.state.supply.source == "csm":
            return rules.start_burn_from_shuffler == "once" and not self.state.shoe.shuffler_burned
        return True

    def cards_in_use(self) -> bool:
        return self.state.shoe.in_use

    def ties_open(self) -> bool:
        return bool(self.state.round.tied_mains())

    def at_war(self) -> bool:
        return bool(self.state.round.war_stakes())

    def war_burns(self) -> bool:
        return self.rules.war.burns > 0 and self.at_war()

    def cards_blocked(self) -> bool:
        return self.state.supply.blocked is not None and bool(self.state.supply.blocked.needs)

    def cards_cleared(self) -> bool:
        """All was recorded before the cards of the round were gathered."""
        return self.state.supply.blocked is not None and not self.state.supply.blocked.needs

    def shuffle_is_due(self) -> bool:
        return bool(self.state.shoe.shuffle_due)

    def was_at_interim(self) -> bool:
        return self.machine.interrupted_from == "interim"

    def was_at_final(self) -> bool:
        return self.machine.interrupted_from == "final"

    # -- the life of the cards -----------------------------------------------------------------------------------

    def if_pre_shuffled(self, pre_shuffled: bool, by: Person) -> None:
        checking.if_pre_shuffled(self, pre_shuffled, by)

    def let_session_go(self) -> None:
        checking.let_go(self)

    def release_cards(self) -> None:
        shoe.release(self)

    def take_new_cards(self, why: str, by: Person) -> None:
        shoe.new_cards(self, why, by)

    def take_shuffle(self, by: Person, how: str) -> None:
        shoe.take_shuffle(self, by, how)

    def take_reshuffle(self, by: Person, how: str) -> None:
        shoe.take_reshuffle(self, by, how)

    def offer_cut(self, *shuffle: object) -> None:
        shoe.offer_cut(self)

    def use_cards(self, *shuffle: object) -> None:
        shoe.put_in_use(self)

    def begin_burn(self, *shuffle: object) -> None:
        shoe.begin_burn(self)

    def burn_again(self, *shuffle: object) -> None:
        shoe.burn_again(self)

    def name_no_cutter(self) -> None:
        shoe.nobody_named(self)

    def rule_shuffle_missed(self) -> None:
        clauses = self.rules.remedies["shuffle_missed"].clauses
        self.rule("shuffle_missed", "complete the round, then shuffle", clauses)

    def rule_shuffle_at_once(self) -> None:
        dealing.rule_shuffle_at_once(self)

    def say_shuffle_at_once(self) -> None:
        dealing.say_shuffle_at_once(self)

    # -- bets --------------------------------------------------------------------------------------------------

    def open_bets(self, *shuffle: object) -> None:
        rounds.bets_open(self)

    def call_no_more_bets(self) -> None:
        spoken.close(self)
        self.desk.announce("all", "no_more_bets", "No more bets.", self.rules.cites["no_more_bets"])
        if self.rules.cites["line"]:
            betting.check_lines(self)
        if self.state.shoe.carried:  # it is dealt now, no reader will tell it
            self.machine.fire("parked_card")

    def say_not_called(self) -> None:
        if self.rules.wagers.close == "call":
            self.desk.announce("dealer", "no_call", "Dealt without the call.", self.rules.cites["no_more_bets"])

    def freeze_stakes(self) -> None:
        betting.freeze(self)

    # -- the deals ---------------------------------------------------------------------------------------------

    def take_parked(self) -> None:
        dealing.take_parked(self)

    def deal_on(self, *shuffle: object) -> None:
        dealing.advance(self)

    def play_on(self) -> None:
        rulings.play_on(self)

    def take_up(self) -> None:
        rulings.take_up(self)

    def ask_for_ruling(self, subject: str, about: Any) -> None:
        if subject:
            self.ask(subject, about)

    def settle_interim(self) -> None:
        settling.interim(self)

    def feed_discards(self) -> None:
        rounds.feed_if_due(self)

    def offer_choices(self) -> None:
        settling.offer(self)

    def end_choosing(self) -> None:
        settling.all_have_chosen(self)

    def lay_out_war(self) -> None:
        settling.lay_out_war(self)

    def settle_final(self) -> None:
        settling.final(self)

    # -- the end, and what begins then ---------------------------------------------------------------------------

    def void_stakes(self, scope: str, clauses: Clauses, forfeit: Iterable[str] = ()) -> None:
        booking.void_scope(self, scope, clauses, forfeit)
        for card in self.state.round.held():
            card.place = "discard"

    def shuffle_anew(self, *void: object) -> None:
        """A shuffle under way when the round was voided is done anew."""
        self.state.shoe.shuffle_due = list(self.rules.remedies["shoe_empty"].clauses)

    def end_settled_round(self) -> None:
        rounds.end(self, True)

    def end_void_round(self, *void: object) -> None:
        rounds.end(self, False)

    def clear_layout(self) -> None:
        rounds.clear_layout(self)

    def lay_chips(self) -> None:
        """What lay ready before the call, and what was left on the layout."""
        betting.take_early(self)
        chips.lay_again(self)

    def ask_for_shuffle(self) -> None:
        rounds.shuffle_first(self)

    def say_what_blocks(self) -> None:
        rounds.say_what_blocks(self)
