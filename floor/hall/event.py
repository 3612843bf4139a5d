"""The hall's four machines, row by row: the event, its entrants, its tickets, its sessions."""

from __future__ import annotations

from controller.core.machine import Row, interrupt, resume

STATES = (
    "drafted", "documented", "approved", "announced", "entering", "short", "drawn_up", "seated", "running", "between",
    "decided", "awarded", "over", "suspended", "cancelled", "abandoned",
)  # fmt: skip
BEFORE_PLAY = ("documented", "approved", "announced", "entering", "short", "drawn_up", "seated")
IN_PLAY = ("running", "between")
OPEN = (*BEFORE_PLAY, *IN_PLAY, "decided", "awarded")


def stays(trigger: str, states: tuple[str, ...], action: str) -> tuple[Row, ...]:
    """Rows for something that leaves the event where it is."""
    return tuple(Row(trigger, state, state, action=action) for state in states)


EVENT = (
    # papers
    Row("load_terms", ("drafted", "documented", "approved", "announced", "short"), "documented", action="take_terms"),
    *stays("name_director", OPEN, "take_director"),
    *stays("enrol_deputy", OPEN, "take_deputy"),
    *stays("seen", OPEN, "note_seen"),
    Row("approve", "documented", "approved", action="take_approval"),
    Row("terms_available", "approved", "announced", guard="inspectorate_knows", action="note_available"),
    Row("terms_available", "approved", "approved", action="note_available"),
    Row("inspectorate_told", "approved", "announced", guard="terms_are_out", action="note_inspectorate"),
    Row("inspectorate_told", "approved", "approved", action="note_inspectorate"),
    *stays("regulator_told", (*OPEN, "cancelled"), "note_regulator"),
    *stays("move_start", BEFORE_PLAY[1:], "note_moved_start"),
    # entries
    Row("open_entries", "announced", "entering", action="begin_entries"),
    *stays("enter", ("entering",), "take_entry"),
    *stays("approve_entrant", ("announced", "entering"), "take_entrant_approval"),
    *stays("sign", ("entering", "drawn_up"), "take_signature"),
    Row("close_entries", "entering", "drawn_up", guard="enough_entered"),
    Row("close_entries", "entering", "short", then="say_short"),
    Row("extend", "short", "entering"),
    *stays("refund", (*OPEN, "cancelled", "abandoned"), "take_refund"),
    # sessions
    *stays("designate", ("drawn_up", "seated", "between"), "designate_tables"),
    Row("draw", ("drawn_up", "between"), "seated", action="draw_seats"),
    *stays("brief", ("seated",), "note_briefing"),
    Row("start_session", "seated", "running", action="begin_session"),
    *stays("pause", ("running",), "stop_clock"),
    *stays("go_on", ("running",), "start_clock"),
    *stays("bring_forward", ("running",), "bring_level_forward"),
    *stays("hand_for_hand", ("running",), "set_hand_for_hand"),
    *stays("next_hand", ("running",), "let_next_hand"),
    *stays("move", ("running",), "order_move"),
    *stays("break_table", ("running",), "order_break"),
    *stays("decide_order", (*IN_PLAY, "decided"), "take_order"),
    Row("session_counted", "running", "between", then="work_out_order"),
    *stays("break_tie", ("between",), "take_tie"),
    *stays("confirm_through", ("between",), "confirm_progress"),
    *stays("repechage", ("between",), "let_back"),
    *stays("hold", OPEN, "hold_winnings"),
    *stays("let_go", OPEN, "let_winnings_go"),
    # the end
    Row("final_order", "between", "decided", action="fix_order"),
    Row("final_order", "seated", "decided", guard="in_play", action="fix_order"),
    *stays("deal", ("running", "between", "decided"), "take_deal"),
    Row("list_prizes", "decided", "awarded", action="fix_prizes"),
    *stays("to_cash", ("between", "decided", "awarded"), "turn_into_cash"),
    *stays("open_dispute", (*OPEN, "cancelled", "abandoned"), "begin_dispute"),
    *stays("close_dispute", (*OPEN, "cancelled", "abandoned"), "end_dispute"),
    Row("release", ("awarded", "abandoned", "cancelled"), "over", action="let_tables_go"),
    interrupt("suspend", OPEN, "suspended", action="note_suspended"),
    resume("resume", "suspended"),
    Row("cancel", BEFORE_PLAY[:-1], "cancelled", action="list_refunds"),
    Row("cancel", "seated", "cancelled", guard="before_play", action="list_refunds"),
    Row("cancel", "suspended", "cancelled", guard="before_play", action="list_refunds"),
    Row("abandon", IN_PLAY, "abandoned", action="give_up"),
    Row("abandon", "seated", "abandoned", guard="in_play", action="give_up"),
    Row("abandon", "suspended", "abandoned", guard="in_play", action="give_up"),
)

ENTRANT_STATES = (
    "applied", "entered", "withdrawn", "replaced", "seated", "playing", "in_transit", "eliminated", "through",
    "retired", "disqualified", "placed",
)  # fmt: skip
STILL_IN = ("entered", "seated", "playing", "through")
ENTRANT = (
    Row("taken", "applied", "entered"),
    Row("withdraw", ("applied", "entered"), "withdrawn", action="take_withdrawal", then="move_list_up"),
    Row("substitute", ("entered", "seated"), "replaced", action="take_substitute"),
    Row("got_seat", ("entered", "through"), "seated"),
    Row("begun", "seated", "playing"),
    Row("let_out", "playing", "in_transit"),
    Row("let_in", "in_transit", "playing"),
    Row("out", ("playing", "in_transit"), "eliminated"),
    Row("undo_out", "eliminated", "playing", action="undo_elimination"),
    Row("back_in", "eliminated", "playing"),
    Row("goes_on", "playing", "through"),
    Row("stays_behind", "playing", "eliminated"),
    Row("let_back_in", "eliminated", "through"),
    Row("buy_back", "eliminated", "through", action="take_buy_back"),
    Row("rebuy", "playing", "playing", action="take_rebuy"),
    Row("add_on", "playing", "playing", action="take_add_on"),
    Row("retire", STILL_IN, "retired", action="take_retirement"),
    Row("disqualify", STILL_IN, "disqualified", action="take_disqualification"),
    Row("retired_at_table", STILL_IN, "retired"),
    Row("disqualified_at_table", STILL_IN, "disqualified"),
    Row("replaced_at_table", "playing", "replaced"),
    Row("got_place", ("playing", "eliminated", "through", "retired"), "placed"),
)

TICKET_STATES = ("ordered", "in_transit", "accepted", "refused", "called_off")
TICKET = (
    Row("released", "ordered", "in_transit"),
    Row("taken_in", ("in_transit", "refused"), "accepted"),
    Row("differed", "in_transit", "refused"),
    Row("turned_away", ("in_transit", "refused"), "called_off"),
    Row("lapsed", "ordered", "called_off"),
)

SESSION_STATES = ("planned", "drawn", "running", "counted", "over")
SESSION = (
    Row("seats_given", "planned", "drawn"),
    Row("start", "drawn", "running"),
    Row("all_agreed", "running", "counted"),
    Row("ended", "counted", "over"),
)
