// Pressing keys: who answers for it, what must be told with it, and what the table said.

import { get, post } from "./channel.js";
import { money } from "./dom.js";
import { rankName, say } from "./parts.js";
import { askFields, askPin, askReason, askWho, closeSheet, confirm } from "./sheets.js";

// Refusals that a person may overrule who sees that it is done.
const UNSEEN = ["not_seen", "pot_lies", "cards_lie", "drop_differs"];

// Keys that ask once more, in their own words.
const ONCE_MORE = { close: ["No more rounds are played here until the table is opened again, and the float is booked as it lies.", "Close the table", "Keep it open"] };

export class Desk {
  constructor(place, channel) {
    this.place = place;
    this.channel = channel;
    this.me = { person: null, staff: [], pin: true };
    this.onMe = () => {};
    this.busy = false;
    this.known = false;
  }

  get rank() {
    return this.me.person?.rank ?? 0;
  }

  async refresh() {
    const answer = await get(`/api/me?place=${this.place}`);
    if (answer.ok) {
      this.me = answer;
      this.known = true;
      this.onMe(this.me);
      if (this.me.card) this.askPin(this.me.card);
    }
  }

  // Somebody came, went, or drew a card through beside this screen.
  heard(changed) {
    if (this.me.reader && changed?.includes("people")) this.refresh();
  }

  async askPin(owner) {
    closeSheet();
    const pin = await askPin(owner);
    if (!pin) return;
    const answer = await post("/api/pin", { place: this.place, pin });
    if (!answer.ok) say(answer.error, true);
    await this.refresh();
  }

  async signIn() {
    if (!this.known) await this.refresh();
    const who = await askWho("Who is at this screen?", this.me, (rank) => rankName(this.channel.state.table, rank));
    if (!who) return false;
    return this.signInAs(who);
  }

  async signInAs({ staff, id = staff, pin = "" }) {
    const answer = await post("/api/sign-in", { staff: id, pin, place: this.place });
    if (!answer.ok) {
      say(answer.error, true);
      return false;
    }
    this.me.person = answer.person;
    this.onMe(this.me);
    return true;
  }

  async signOut() {
    await post("/api/sign-out", { place: this.place });
    this.me.person = null;
    this.onMe(this.me);
  }

  // Press a key; asks for what is missing. True when the table took it.
  async press(key, args = {}, rank = key.rank, label = key.label) {
    if (this.busy || !this.channel.connected) return false;
    this.busy = true;
    try {
      return await this.pressed(key, args, rank, label);
    } finally {
      this.busy = false;
    }
  }

  async pressed(key, args, rank, label, second = null) {
    if (!this.me.person && rank <= 1 && !(await this.signIn())) return false;
    const state = this.channel.state;
    const who = (title, least) => askWho(title, this.me, (level) => rankName(state.table, level), least);
    let sign = second;
    if (!sign && this.rank < rank) {
      sign = await who(`“${label}” needs ${rankName(state.table, rank)}`, rank);
      if (!sign) return false;
    }
    const answer = await post("/api/command", { name: key.name, place: this.place, args, sign });
    if (answer.ok) return true;
    if (answer.code === "same_person" && !second) {
      // Two people stand at one screen: the second signs for this one key without taking the screen over.
      const other = await who(`“${label}” is another person's`, rank);
      return other ? this.pressed(key, args, rank, label, other) : false;
    }
    if (answer.status === 401) {
      this.me.person = null;
      this.onMe(this.me);
      if (await this.signIn()) return this.pressed(key, args, rank, label);
      return false;
    }
    if (UNSEEN.includes(answer.code) && (key.args ?? []).includes("confirmed") && !args.confirmed) {
      if (await confirm(label, answer.error, "It is done: confirm it")) return this.pressed(key, { ...args, confirmed: true }, rank, label);
      return false;
    }
    const asNew = Object.fromEntries((key.args ?? []).filter((name) => name.endsWith("_is_new")).map((name) => [name, true]));
    if (["much_alike", "nobody_here"].includes(answer.code)) {
      return (await confirm(label, answer.error, "Somebody new")) ? this.pressed(key, { ...args, ...asNew }, rank, label, sign) : false;
    }
    if (["mispaid", "not_read_yet", "not_clear"].includes(answer.code) && !args.confirmed) return this.acceptAsItIs(key, args, label, answer.error);
    say(answer.error, true);
    return false;
  }

  // Money is not where it belongs: put it right, or somebody of higher rank accepts it with a reason.
  async acceptAsItIs(key, args, label, why) {
    if (!(await confirm(label, why, "Accept as it is", "Go back and put it right"))) return false;
    const reason = await askReason("Why is it accepted?");
    return reason ? this.pressed(key, { ...args, confirmed: true, reason }, Math.max(2, key.rank), "Accept as it is") : false;
  }

  // A key of the table, with a form for its arguments where it has any.
  // What is seldom told with it is asked for only where the key was looked for among all of them.
  async use(key, game, aside = true) {
    const state = this.channel.state;
    const asked = (key.asks ?? []).filter((one) => !one.kind.startsWith("accept") && (aside || !one.aside));
    const fields = asked.map((one) => this.live(one, game, state));
    const empty = fields.find((field) => field.kind === "choice" && !field.optional && !field.choices?.length);
    if (empty) {
      say(`${key.label}: there is nothing to choose for “${empty.label}” now.`, true);
      return false;
    }
    let args = {};
    if (fields.length) {
      args = await askFields(key.label, fields);
      if (!args) return false;
    }
    if (ONCE_MORE[key.name] && !(await confirm(key.label, ...ONCE_MORE[key.name]))) return false;
    if (game?.weighty?.includes(key.name) && !(await this.weighed(key, args))) return false;
    return this.press(key, args);
  }

  // What a key would do, tried on a copy of the table, before it is done.
  async weighed(key, args) {
    const answer = await post("/api/preview", { name: key.name, place: this.place, args });
    if (answer.status === 401) {
      this.me.person = null;
      this.onMe(this.me);
      return (await this.signIn()) ? this.weighed(key, args) : false;
    }
    if (!answer.ok) {
      say(answer.error, true);
      return false;
    }
    return confirm(key.label, answer.lines, "Do it");
  }

  // What the server asks for, with what the page knows of the moment: who plays here, what holds now, a picture's own words.
  live(asked, game, state) {
    const field = { ...asked };
    if (asked.kind === "player" && !asked.suggested) field.kind = "choice";
    else if (asked.kind === "player") field.suggestions = asked.choices?.map(([player]) => player) ?? [];
    else if (asked.kind === "names") field.suggestions = asked.choices?.map(([name]) => name);
    else if (!["choice", "cards", "numbers"].includes(asked.kind) && asked.choices) field.suggestions = asked.choices.map(([, text]) => text);
    else if (asked.choices && game?.choiceWords) field.choices = asked.choices.map(([value, text]) => [value, game.choiceWords(asked.name, text, state) ?? text]);
    if (asked.kind === "money" && state.limits.now[asked.name] !== undefined) field.label += `, now ${money(state.limits.now[asked.name])}`;
    return field;
  }

  async answer(asked, option, game) {
    const key = this.channel.state.keys.find((one) => one.name === "answer") ?? { name: "answer", rank: 1, label: option.label };
    const args = { prompt: asked.prompt, answer: option.answer };
    const fields = (option.asks ?? []).map((one) => this.live(one, game, this.channel.state));
    if (fields.length) {
      const given = await askFields(option.label, fields);
      if (!given) return false;
      Object.assign(args, given);
    }
    if (option.needs_reason) {
      const reason = await askReason(option.label);
      if (!reason) return false;
      args.reason = reason;
    }
    return this.press(key, args, option.rank, option.label);
  }

  // The last key was pressed by mistake: one press for whoever pressed it, a rank with a reason for everybody else.
  async takeBack(pressed) {
    const key = { name: "take_back", rank: 1, label: `Take back “${pressed.label}”` };
    if (pressed.at_once && this.me.person?.id === pressed.by) return this.press(key);
    const reason = await askReason(key.label);
    return reason ? this.press(key, { reason }, pressed.rank, key.label) : false;
  }

  async clear(alarm) {
    const name = alarm.suspends ? "clear_fault" : "seen_to";
    const key = this.channel.state.keys.find((one) => one.name === name);
    if (!key) return false;
    const reason = await askReason("What was found?");
    if (!reason) return false;
    const args = { ...(alarm.suspends ? { fault: alarm.code } : { alarm: alarm.code }), reason };
    return this.press(key, args, Math.max(alarm.rank, key.rank), alarm.suspends ? "Clear this fault" : key.label);
  }
}
