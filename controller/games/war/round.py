"""The story of the cards and of a round, row by row: what can happen, where it leads, and what it brings with it."""

from __future__ import annotations

from controller.core.machine import Row, interrupt, resume
from controller.games.war import betting, booking, checking, chips, dealing, rounds, rulings, settling, shoe
from controller.games.war.play import War
from controller.games.war.state import DRAWING, IN_ROUND, PLAYING, SECOND_DEAL

SHUFFLING = ("reshuffling", "recutting")
ROWS = (
    # the life of the cards
    Row("cards_ready", "unchecked", "unshuffled", then=("take_lying", "if_pre_shuffled")),
    Row("cards_away", ("unchecked", "unshuffled", "uncut", "betting", "over"), "unchecked", action="let_session_go"),
    Row("wrong_count", "unchecked", "blocked"),
    Row("cards_released", ("blocked", "unshuffled"), "unshuffled", action="release_cards", then="take_lying"),
    Row("cards_replaced", ("unshuffled", "betting", "closed", "blocked"), "unchecked", action="take_new_cards"),
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
    Row("interim_settled", "interim", "choosing", "ties_open", then=("offer_choices", "take_war_chips")),
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
    Row(
        "next_round",
        "over",
        "blocked",
        "cards_blocked",
        action="clear_layout",
        then=("lay_again", "say_what_blocks"),
    ),
    Row(
        "next_round",
        "over",
        "unshuffled",
        "cards_cleared",
        action=("clear_layout", "release_cards"),
        then=("lay_again", "ask_for_shuffle"),
    ),
    Row(
        "next_round",
        "over",
        "unshuffled",
        "shuffle_is_due",
        action="clear_layout",
        then=("lay_again", "ask_for_shuffle"),
    ),
    Row("next_round", "over", "betting", action="clear_layout", then=("lay_again", "open_bets")),
    # back to an earlier part of the round
    Row("misread", "interim", "dealing", then="take_up"),
    Row("misread", "ruling", "dealing", "was_at_interim", then="take_up"),
    Row("misread", "final", "war_dealing", then="take_up"),
    Row("misread", "ruling", "war_dealing", "was_at_final", then="take_up"),
    Row("rebuilt", PLAYING, "dealing", then="take_up"),
    Row("choice_missed", ("choosing", *SECOND_DEAL), "choosing", then=("offer_choices", "lay_anew")),
    Row("second_deal_mended", SECOND_DEAL, "war_dealing", then="take_up"),
    # standing still
    interrupt("irregular", IN_ROUND, "ruling", then="ask_for_ruling"),
    resume("ruled", "ruling", then="play_on"),
    interrupt("out_of_cards", DRAWING, "reshuffling", action="name_no_cutter"),
    Row("finish_from_shoe", "ruling", "reshuffling", action="name_no_cutter"),
    Row("shuffled", "reshuffling", "recutting", "cut_needed", action="take_reshuffle", then="offer_cut"),
    resume("shuffled", "reshuffling", action=("take_reshuffle", "burn_again"), then="take_up"),
    resume("cut", "recutting", action="burn_again", then="take_up"),
)


class Consequences(War):
    """The model of the round machine: where each guard, action and consequence that a row names is told."""

    # guards
    cut_needed = shoe.cut_needed
    burn_needed = shoe.burn_needed
    cards_in_use = shoe.in_use
    ties_open = settling.ties_open
    at_war = settling.at_war
    war_burns = settling.war_burns
    cards_blocked = rounds.cards_blocked
    cards_cleared = rounds.cards_cleared
    shuffle_is_due = rounds.shuffle_is_due
    was_at_interim = rulings.was_at_interim
    was_at_final = rulings.was_at_final

    # the life of the cards
    if_pre_shuffled = checking.if_pre_shuffled
    let_session_go = checking.let_go
    release_cards = shoe.release
    take_new_cards = shoe.new_cards
    take_shuffle = shoe.take_shuffle
    take_reshuffle = shoe.take_reshuffle
    offer_cut = shoe.offer_cut
    use_cards = shoe.put_in_use
    begin_burn = shoe.begin_burn
    burn_again = shoe.burn_again
    name_no_cutter = shoe.nobody_named
    rule_shuffle_missed = dealing.rule_shuffle_missed
    rule_shuffle_at_once = dealing.rule_shuffle_at_once
    say_shuffle_at_once = dealing.say_shuffle_at_once

    # bets
    open_bets = rounds.bets_open
    call_no_more_bets = betting.call_no_more_bets
    say_not_called = betting.say_not_called
    freeze_stakes = betting.freeze

    # the deals
    take_parked = dealing.take_parked
    deal_on = dealing.deal_on
    play_on = rulings.play_on
    take_up = rulings.take_up
    ask_for_ruling = rulings.ask
    settle_interim = settling.interim
    feed_discards = rounds.feed_if_due
    offer_choices = settling.offer
    take_war_chips = chips.take_war_chips
    lay_anew = chips.lay_anew
    end_choosing = settling.all_have_chosen
    lay_out_war = settling.lay_out_war
    settle_final = settling.final

    # the end, and what begins then
    void_stakes = booking.void_whole
    shuffle_anew = shoe.shuffle_anew
    end_settled_round = rounds.end_settled
    end_void_round = rounds.end_void
    clear_layout = rounds.clear_layout
    lay_again = chips.lay_again
    take_lying = chips.take_lying
    ask_for_shuffle = rounds.shuffle_first
    say_what_blocks = rounds.say_what_blocks
