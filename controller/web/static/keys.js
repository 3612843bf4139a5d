// The dealer's keys: the one that comes next is large, three lie beside it, all others behind “More”. They never move.

import { h, replace, whenChanged } from "./dom.js";
import { key, rankName } from "./parts.js";

const STEADY_MS = 350; // a key that has only just appeared is not pressed by a finger already on its way
const ORDER = ["The round", "Chips and wagers", "Cards", "Players", "Tournament", "Float and cash", "The table"];

export class Keys {
  constructor(desk, channel, game) {
    Object.assign(this, { desk, channel, game });
    this.main = h("div", { class: "main-slot" });
    this.side = h("div", { class: "side-slots" });
    this.shownAt = 0;
    this.shownKey = "";
    this.drawMain = whenChanged((...inputs) => this.showMain(...inputs));
    this.drawSide = whenChanged((...inputs) => this.showSide(...inputs));
  }

  update(now, playing) {
    const { desk, game } = this;
    const meanwhile = (playing && game.meanwhile?.(now)) || "Nothing to press now.";
    this.drawMain(now.keys, now.prompts.length > 0, Boolean(desk.me.person), meanwhile, namesOf(game.mainKeys, now), game.mainArgs?.(now) ?? {}, now.game.options ?? null, desk.rank);
    this.drawSide(now.keys, namesOf(game.sideKeys, now), now.game.options ?? null);
  }

  showMain(keys, prompting, signedIn, meanwhile, names, args) {
    const next = names.map((name) => keys.find((one) => one.name === name)).find(Boolean);
    this.main.classList.toggle("none", signedIn && prompting && !next);
    this.main.classList.toggle("beside", prompting); // what is asked comes first
    if (!signedIn) {
      replace(this.main, key("Sign in", "before pressing keys", { class: "main", "data-key": "sign-in", onclick: () => this.desk.signIn() }));
      this.shownKey = "";
    } else if (next) {
      if (this.shownKey !== next.name) this.shownAt = performance.now();
      this.shownKey = next.name;
      const label = this.labelOf(next);
      const shown = key(label, this.noteOf(next), { class: `main ${label.length > 18 ? "long" : ""}`, "data-key": next.name, "aria-busy": this.ready() ? null : "true", onclick: () => this.ready() && (lacks(next, args) ? this.desk.use(next, this.game, false) : this.desk.press(next, args)) });
      setTimeout(() => shown.removeAttribute("aria-busy"), STEADY_MS + 20);
      replace(this.main, shown);
    } else {
      this.shownKey = "";
      replace(this.main, h("div", { class: "waiting" }, meanwhile));
    }
  }

  ready() {
    return performance.now() - this.shownAt > STEADY_MS;
  }

  noteOf(one) {
    return one.rank > this.desk.rank ? rankName(this.channel.state.table, one.rank) : "";
  }

  // A key may say how much it is about.
  labelOf(one) {
    return this.game.keyLabel?.(one, this.channel.state) ?? one.label;
  }

  showSide(keys, names) {
    replace(
      this.side,
      names.map((name) => {
        const one = keys.find((known) => known.name === name);
        return one ? key(this.labelOf(one), "", { "data-key": name, onclick: () => this.desk.use(one, this.game, false) }) : h("div", { class: "empty-slot" });
      }),
      key("More", "", { "data-key": "more", onclick: () => this.more() }),
    );
  }

  async more() {
    const { game } = this;
    const { state } = this.channel;
    const hidden = new Set(["answer", "take_back", ...namesOf(game.mainKeys, state), ...namesOf(game.sideKeys, state)]);
    const keys = state.keys.filter((one) => !hidden.has(one.name) || (one.asks ?? []).some((asked) => asked.aside));
    const { pick } = await import("./pick.js");
    const chosen = await pick("More", keys.map((one) => ({ value: one, label: one.label, note: this.noteOf(one), id: one.name, about: one.about })).sort((a, b) => ORDER.indexOf(a.about) - ORDER.indexOf(b.about)));
    if (chosen) this.desk.use(chosen, game);
  }
}

// What must be told with a key, and is not known beforehand.
const lacks = (one, args) => (one.asks ?? []).some((asked) => !asked.optional && !asked.aside && !(asked.name in args));

// Which keys are large may depend on where the round stands.
const namesOf = (names, state) => (typeof names === "function" ? names(state) : names);
