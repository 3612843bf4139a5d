// The dealer's screen: what can be done now, in large keys that never move.

import { Channel } from "./channel.js";
import { Desk } from "./desk.js";
import { alarmList } from "./alarms.js";
import { checklist, rowsOf } from "./checklist.js";
import { h, replace, setText } from "./dom.js";
import * as game from "/game.js";
import { Keys } from "./keys.js";
import { head, lostBar, rankName, say, takeBackKey } from "./parts.js";
import { promptList } from "./prompts.js";
import { settlement } from "./tables.js";

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
  const keys = new Keys(desk, channel, game);
  scroll.append(alarms.node, prompts.node, dues.node, wagers.node);
  main.append(
    h("section", { class: "glance" }, h("div", { class: "picture" }, picture.node), layout.node),
    h("section", { class: "work" }, h("div", { class: "title-line" }, title, clock, hint, said, mistake.node), scroll, keys.main, keys.side),
  );

  // an edge that fades says that there is more below it
  const more = () => scroll.classList.toggle("more-below", scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight > 6);
  scroll.addEventListener("scroll", more, { passive: true });
  new ResizeObserver(more).observe(scroll);

  let until = 0;
  const tick = () => {
    const left = Math.ceil((until - channel.now()) / 1000);
    setText(clock, until ? (left > 0 ? `${left} s left` : "time is up") : "");
    clock.classList.toggle("short", until > 0 && left <= 5);
  };
  setInterval(tick, 250);

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
      main.classList.toggle("asking", now.prompts.length > 0);
      wagers.node.classList.toggle("hidden", Boolean(game.showsStakes) || now.prompts.length > 0);
      keys.update(now, playing);
      more();
    },
  };
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
