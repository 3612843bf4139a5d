// The dealer's screen: what can be done now, in large keys that never move.

import { Channel } from "./channel.js";
import { Desk } from "./desk.js";
import { h, money, replace, setText, whenChanged, words } from "./dom.js";
import * as game from "/game.js";
import { settlement } from "./tables.js";
import { alarmList, clauses, head, key, lostBar, promptList, rankName, say, takeBackKey } from "./parts.js";

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
  const alarms = alarmList((alarm) => desk.clear(alarm));
  const prompts = promptList((asked, option) => desk.answer(asked, option, game), game);
  const dues = duesList(game);
  const wagers = settlement(game, { wagersOnly: true });
  const said = h("div", { class: "last-said", "aria-live": "polite" });
  const mistake = takeBackKey((pressed) => desk.takeBack(pressed));
  const scroll = h("div", { class: "scroll" });
  const mainSlot = h("div", { class: "main-slot" });
  const sideSlots = h("div", { class: "side-slots" });
  scroll.append(prompts.node, alarms.node, dues.node, wagers.node);
  main.append(
    h("section", { class: "glance" }, h("div", { class: "picture" }, picture.node), layout.node),
    h("section", { class: "work" }, h("div", { class: "title-line" }, title, hint, said, mistake.node), scroll, mainSlot, sideSlots),
  );

  let shownAt = 0;
  let shownKey = "";
  const drawMain = whenChanged((keys, prompting, signedIn, meanwhile, names, args) => {
    const next = names.map((name) => keys.find((one) => one.name === name)).find(Boolean);
    mainSlot.classList.toggle("none", signedIn && prompting && !next);
    if (!signedIn) {
      replace(mainSlot, key("Sign in", "before pressing keys", { class: "main", "data-key": "sign-in", onclick: () => desk.signIn() }));
      shownKey = "";
    } else if (next) {
      if (shownKey !== next.name) shownAt = performance.now();
      shownKey = next.name;
      const shown = key(next.label, noteOf(next), { class: `main ${next.label.length > 18 ? "long" : ""}`, "data-key": next.name, "aria-busy": ready() ? null : "true", onclick: () => ready() && (lacks(next, args) ? desk.use(next, game, false) : desk.press(next, args)) });
      setTimeout(() => shown.removeAttribute("aria-busy"), STEADY_MS + 20);
      replace(mainSlot, shown);
    } else {
      shownKey = "";
      replace(mainSlot, h("div", { class: "waiting" }, meanwhile));
    }
  });
  const ready = () => performance.now() - shownAt > STEADY_MS;
  const noteOf = (one) => [one.rank > 1 ? rankName(channel.state.table, one.rank) : "", one.clause].filter(Boolean).join(" · ");

  const drawSide = whenChanged((keys, names) => {
    replace(
      sideSlots,
      names.map((name) => {
        const one = keys.find((known) => known.name === name);
        return one ? key(one.label, noteOf(one), { "data-key": name, onclick: () => desk.use(one, game, false) }) : h("div", { class: "empty-slot" });
      }),
      key("More", "everything else", { "data-key": "more", onclick: () => more(game) }),
    );
  });

  return {
    picture,
    update(now) {
      const playing = ["open", "closing"].includes(now.life.life);
      const text = playing ? game.headline(now) : { title: { closed: "The table is closed", opening: "Opening: checks are running", suspended: "The table is suspended" }[now.life.life] ?? "", hint: "" };
      setText(title, text.title);
      setText(hint, text.hint);
      const last = now.lines.filter((line) => line.kind === "announced" && ["dealer", "all", "console"].includes(line.to)).at(-1);
      setText(said, last ? `“${last.text}”` : "");
      for (const part of [top, picture, layout, alarms, dues, wagers, mistake]) part.update(now);
      prompts.update(now, desk.rank);
      scroll.classList.toggle("suspended", now.life.life === "suspended");
      wagers.node.classList.toggle("hidden", now.prompts.length > 0);
      drawMain(now.keys, now.prompts.length > 0, Boolean(desk.me.person), (playing && game.meanwhile?.(now)) || "Nothing to press now.", namesOf(game.mainKeys, now), game.mainArgs?.(now) ?? {});
      drawSide(now.keys, namesOf(game.sideKeys, now));
    },
  };
}

// What must be told with a key, and is not known beforehand.
const lacks = (one, args) => (one.asks ?? []).some((asked) => !asked.optional && !asked.aside && !(asked.name in args));

// Which keys are large may depend on where the round stands.
const namesOf = (names, state) => (typeof names === "function" ? names(state) : names);

// What is to be taken and paid once a result stands.
function duesList(game) {
  const node = h("div", {});
  const draw = whenChanged((table, results, show) => {
    const rows = show ? results.filter((one) => one.pays || one.stake_returned || (game.takes && one.stake_taken)) : [];
    replace(
      node,
      rows.length
        ? h(
            "table",
            { class: "dues" },
            h("thead", {}, h("tr", {}, ["Bet", "Player", "Result"].map((name) => h("th", {}, name)), game.takes ? h("th", { class: "r" }, "Take") : null, h("th", { class: "r" }, "Stake back"), h("th", { class: "r" }, "Pays"), h("th", {}, "Clause"))),
            h(
              "tbody",
              {},
              rows.map((one) =>
                h(
                  "tr",
                  { class: one.done && one.result !== "surrender" ? "done" : "" },
                  h("td", {}, game.label?.(table, one.bet) ?? one.bet),
                  h("td", {}, one.player || "–"),
                  h("td", {}, one.withheld ? "withheld" : words(one.result)),
                  game.takes ? h("td", { class: "r strong" }, one.stake_taken ? money(one.stake_taken) : "") : null,
                  h("td", { class: "r" }, one.stake_returned ? money(one.stake_returned) : ""),
                  h("td", { class: "r strong" }, one.pays ? money(one.pays) : ""),
                  h("td", {}, clauses(one.clauses)),
                ),
              ),
            ),
          )
        : show && results.length ? h("p", { class: "muted" }, "Nobody is paid this time.") : null,
    );
  });
  return { node, update: (state) => draw(state.table, state.game.results ?? [], game.settles.includes(state.game.state)) };
}

async function more(game) {
  const state = channel.state;
  const hidden = new Set(["answer", "take_back", ...namesOf(game.mainKeys, state), ...namesOf(game.sideKeys, state)]);
  const keys = state.keys.filter((one) => !hidden.has(one.name) || (one.asks ?? []).some((asked) => asked.aside));
  const { pick } = await import("./pick.js");
  const chosen = await pick("More", keys.map((one) => ({ value: one, label: one.label, note: [rankName(state.table, one.rank), one.clause].filter(Boolean).join(" · "), id: one.name })));
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
