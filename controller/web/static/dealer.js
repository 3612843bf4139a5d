// The dealer's screen: what can be done now, in large keys that never move.

import { Channel } from "./channel.js";
import { Desk } from "./desk.js";
import { alarmList } from "./alarms.js";
import { checklist, rowsOf } from "./checklist.js";
import { h, replace, setText, whenChanged } from "./dom.js";
import * as game from "/game.js";
import { head, key, lostBar, rankName, say, takeBackKey } from "./parts.js";
import { promptList } from "./prompts.js";
import { settlement } from "./tables.js";

const STEADY_MS = 350; // a key that has only just appeared is not pressed by a finger already on its way

const top = head("dealer");
const main = h("main", {});
document.body.append(top.node, lostBar(), main);

const channel = new Channel("dealer");
const desk = new Desk("dealer", channel);
const who = h("button", { type: "button", class: "who" }, "Sign in");
who.addEventListener("click", () => (desk.me.person ? desk.signOut() : desk.signIn()));
top.right.append(who);

let parts;

function build(state) {
  const picture = new game.Picture();
  const layout = game.layout({ compact: true });
  const title = h("div", { class: "headline", role: "status" });
  const hint = h("div", { class: "hint" });
  const clock = h("div", { class: "clock", role: "timer" });
  const alarms = alarmList((alarm) => desk.clear(alarm), (now) => rowsOf(game, now).length > 0);
  const prompts = promptList((asked, option) => desk.answer(asked, option, game), game);
  const dues = checklist(game);
  const wagers = settlement(game, { wagersOnly: true });
  const said = h("div", { class: "last-said", "aria-live": "polite" });
  const mistake = takeBackKey((pressed) => desk.takeBack(pressed));
  const scroll = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What is to be done" });
  const mainSlot = h("div", { class: "main-slot" });
  const sideSlots = h("div", { class: "side-slots" });
  scroll.append(alarms.node, prompts.node, dues.node, wagers.node);
  main.append(
    h("section", { class: "glance" }, h("div", { class: "picture" }, picture.node), layout.node),
    h("section", { class: "work" }, h("div", { class: "title-line" }, title, clock, hint, said, mistake.node), scroll, mainSlot, sideSlots),
  );

  let until = 0;
  const tick = () => {
    const left = Math.ceil((until - channel.now()) / 1000);
    setText(clock, until ? (left > 0 ? `${left} s left` : "time is up") : "");
    clock.classList.toggle("short", until > 0 && left <= 5);
  };
  setInterval(tick, 250);

  let shownAt = 0;
  let shownKey = "";
  const drawMain = whenChanged((keys, prompting, signedIn, meanwhile, names, args, options) => {
    const next = names.map((name) => keys.find((one) => one.name === name)).find(Boolean);
    mainSlot.classList.toggle("none", signedIn && prompting && !next);
    if (!signedIn) {
      replace(mainSlot, key("Sign in", "before pressing keys", { class: "main", "data-key": "sign-in", onclick: () => desk.signIn() }));
      shownKey = "";
    } else if (next) {
      if (shownKey !== next.name) shownAt = performance.now();
      shownKey = next.name;
      const label = labelOf(next);
      const shown = key(label, noteOf(next), { class: `main ${label.length > 18 ? "long" : ""}`, "data-key": next.name, "aria-busy": ready() ? null : "true", onclick: () => ready() && (lacks(next, args) ? desk.use(next, game, false) : desk.press(next, args)) });
      setTimeout(() => shown.removeAttribute("aria-busy"), STEADY_MS + 20);
      replace(mainSlot, shown);
    } else {
      shownKey = "";
      replace(mainSlot, h("div", { class: "waiting" }, meanwhile));
    }
  });
  const ready = () => performance.now() - shownAt > STEADY_MS;
  const noteOf = (one) => (one.rank > desk.rank ? rankName(channel.state.table, one.rank) : "");

  const drawSide = whenChanged((keys, names) => {
    replace(
      sideSlots,
      names.map((name) => {
        const one = keys.find((known) => known.name === name);
        return one ? key(labelOf(one), "", { "data-key": name, onclick: () => desk.use(one, game, false) }) : h("div", { class: "empty-slot" });
      }),
      key("More", "", { "data-key": "more", onclick: () => more(game) }),
    );
  });

  return {
    picture,
    update(now) {
      const playing = ["open", "closing"].includes(now.life.life);
      const text = playing ? game.headline(now) : { title: { closed: "The table is closed", opening: "Opening: checks are running", suspended: "The table is suspended" }[now.life.life] ?? "", hint: "" };
      setText(title, text.title);
      until = playing ? text.until ?? 0 : 0;
      tick();
      setText(hint, now.prompts.length ? "" : text.hint);
      const before = now.rounds[0]?.last ?? 0; // what was said of a round that is over is over
      const last = now.lines.filter((line) => line.seq > before && line.kind === "announced" && ["dealer", "all", "console"].includes(line.to)).at(-1);
      setText(said, last ? `“${last.text}”` : "");
      said.classList.toggle("for-the-dealer", last?.to === "dealer");
      for (const part of [top, picture, layout, alarms, dues, wagers, mistake]) part.update(now);
      prompts.update(now, desk.rank);
      wagers.node.classList.toggle("hidden", Boolean(game.showsStakes) || now.prompts.length > 0);
      drawMain(now.keys, now.prompts.length > 0, Boolean(desk.me.person), (playing && game.meanwhile?.(now)) || "Nothing to press now.", namesOf(game.mainKeys, now), game.mainArgs?.(now) ?? {}, now.game.options ?? null);
      drawSide(now.keys, namesOf(game.sideKeys, now), now.game.options ?? null);
    },
  };
}

// A key may say how much it is about.
const labelOf = (one) => game.keyLabel?.(one, channel.state) ?? one.label;

// What must be told with a key, and is not known beforehand.
const lacks = (one, args) => (one.asks ?? []).some((asked) => !asked.optional && !asked.aside && !(asked.name in args));

// Which keys are large may depend on where the round stands.
const namesOf = (names, state) => (typeof names === "function" ? names(state) : names);

async function more(game) {
  const state = channel.state;
  const hidden = new Set(["answer", "take_back", ...namesOf(game.mainKeys, state), ...namesOf(game.sideKeys, state)]);
  const keys = state.keys.filter((one) => !hidden.has(one.name) || (one.asks ?? []).some((asked) => asked.aside));
  const { pick } = await import("./pick.js");
  const chosen = await pick("More", keys.map((one) => ({ value: one, label: one.label, note: one.rank > desk.rank ? rankName(state.table, one.rank) : "", id: one.name })));
  if (chosen) desk.use(chosen, game);
}

desk.onMe = (me) => {
  replace(who, me.person ? [h("b", {}, me.person.name), h("span", { class: "muted" }, rankName(channel.state.table, me.person.rank) + " · sign out")] : "Sign in");
  if (parts) parts.update(channel.state);
};
channel.onState = (state, changed) => {
  if (!parts) {
    parts = build(state);
    desk.refresh();
  }
  desk.heard(changed);
  parts.update(state);
};
channel.onLive = (live) => parts?.picture.live(live);
channel.onLink = (up) => {
  document.body.classList.toggle("lost", !up);
  if (up && parts) desk.refresh();
};
window.addEventListener("error", () => say("This page has a fault; reload it.", true));
