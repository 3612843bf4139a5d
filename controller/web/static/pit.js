// The pit's screen: the table as a picture, what waits for a decision, and the proof of what happened.

import { Channel } from "./channel.js";
import { Desk } from "./desk.js";
import { h, money, replace, setText, timeOf, whenChanged } from "./dom.js";
import { eventPanel } from "./event.js";
import * as game from "/game.js";
import { alarmList } from "./alarms.js";
import { checklist, rowsOf } from "./checklist.js";
import { lineList } from "./lines.js";
import { deviceList, head, key, lostBar, rankName, takeBackKey } from "./parts.js";
import { promptList } from "./prompts.js";
import { pick } from "./pick.js";
import { openRecord } from "./record.js";
import { roundTable, settlement } from "./tables.js";

const top = head("pit");
const main = h("main", {});
document.body.append(top.node, lostBar(), main);
const channel = new Channel("pit");
const desk = new Desk("pit", channel);
const who = h("button", { type: "button", class: "who" }, "Sign in");
who.addEventListener("click", () => (desk.me.person ? desk.signOut() : desk.signIn()));
top.right.append(who);
let parts;

function build(state) {
  const picture = new game.Picture();
  const monitor = game.monitor?.();
  const landings = game.landings?.();
  const layout = game.layout({ compact: true });
  const title = h("div", { class: "headline", role: "status" });
  const hint = h("div", { class: "hint" });
  const prompts = promptList((asked, option) => desk.answer(asked, option, game), game);
  const steps = checklist(game);
  const alarms = alarmList((alarm) => desk.clear(alarm), (now) => rowsOf(game, now).length > 0);
  const settled = settlement(game);
  const devices = deviceList(true);
  const lines = lineList(20);
  const rounds = roundTable(game, (round) => openRecord(round, "pit", channel.state, game));
  const limits = limitList();
  const kept = headFacts();
  const mistake = takeBackKey((pressed) => desk.takeBack(pressed));
  const floor = floorFacts();
  const event = eventPanel();
  const all = [top, picture, monitor, landings, layout, alarms, steps, settled, devices, lines, rounds, limits, kept, floor, event, mistake].filter(Boolean);
  const powers = key("Powers…", "", { class: "small", "data-key": "powers", onclick: () => usePower(game) });
  main.append(
    h("div", { class: "stack" }, h("section", { class: "card picture" }, picture.node), monitor ? h("section", { class: "card" }, monitor.node) : null, landings?.node ?? null, layout.node),
    h("div", { class: "stack" }, h("section", { class: "card row between" }, h("div", {}, title, hint), mistake.node, powers), alarms.node, prompts.node, steps.node, h("section", { class: "card" }, settled.node), h("section", { class: "card" }, h("h2", {}, "Last rounds"), rounds.node)),
    h("div", { class: "stack" }, h("section", { class: "card" }, h("h2", {}, "Devices"), devices.node), h("section", { class: "card" }, h("h2", {}, "Limits and notices"), limits.node), event.node, h("section", { class: "card" }, h("h2", {}, "Said and decided"), lines.node), floor.node, kept.node),
  );
  return {
    live(devicesNow) {
      picture.live?.(devicesNow);
      monitor?.live?.(devicesNow);
    },
    update(now) {
      const playing = ["open", "closing"].includes(now.life.life);
      const text = playing ? game.headline(now) : { title: `The table is ${now.life.life}`, hint: "" };
      setText(title, text.title);
      setText(hint, text.hint);
      for (const part of all) part.update(now);
      prompts.update(now, desk.rank);
    },
  };
}

function limitList() {
  const node = h("div", {});
  const draw = whenChanged((limits, sign) => {
    const terms = Object.entries(sign.terms ?? {}); // where a game has terms instead of a minimum and a maximum
    const rows = [
      ...(terms.length ? terms : [["Minimum", money(limits.now.least)], ["Maximum", money(limits.now.most)], limits.now.unit ? ["Unit", money(limits.now.unit)] : null]),
      limits.coming ? ["From " + timeOf(limits.coming.at), `${money(limits.coming.limits.least)} to ${money(limits.coming.limits.most)}`] : null,
      sign.closing ? ["Closing", sign.closing] : null,
      ...Object.entries(limits.personal).map(([player, own]) => [player, `${money(own.least)} to ${money(own.most)}${own.marker ? "" : " (no marker)"}`]),
      limits.sign_needed && limits.sign_shown < limits.sign ? ["Sign", "does not show this yet"] : null,
    ].filter(Boolean);
    replace(node, h("dl", { class: "facts" }, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
  });
  return { node, update: (state) => draw(state.limits, state.sign) };
}

// Written down or photographed, it proves every event up to its number: tablectl journal verify --head.
function headFacts() {
  const facts = h("dl", { class: "facts" });
  const node = h("section", { class: "card", hidden: true }, h("h2", {}, "Journal head"), facts);
  const draw = whenChanged((head) => {
    node.hidden = !head;
    if (!head) return;
    const rows = [["Journal", head.origin], ["Events", String(head.size)], ["Root", h("code", { class: "head-root" }, head.root)], ["Signed", head.signed ? "yes" : "no: this table has no key"]];
    replace(facts, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  });
  return { node, update: (state) => draw(state.journal?.head ?? null) };
}

// Nothing at the table waits for the floor; that it hears nothing is told here and nowhere else.
function floorFacts() {
  const facts = h("dl", { class: "facts" });
  const node = h("section", { class: "card", hidden: true, "data-part": "uplink" }, h("h2", {}, "Floor"), facts);
  const words = { up: "hears this table", away: "hears nothing of this table", parted: "holds another past of this journal" };
  const draw = whenChanged((uplink) => {
    node.hidden = !uplink;
    if (!uplink) return;
    const rows = [
      ["The floor", words[uplink.state] + (uplink.state === "up" ? "" : ` since ${timeOf(uplink.since)}`)],
      uplink.text ? ["Why", uplink.text] : null,
      uplink.behind ? ["Not sent yet", `${uplink.behind} events`] : null,
      ["Countersigned", uplink.witnessed ? `up to event ${uplink.witnessed}` : "nothing yet"],
    ].filter(Boolean);
    node.classList.toggle("warn", uplink.state !== "up" || Boolean(uplink.text));
    replace(facts, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  });
  return { node, update: (state) => draw(state.uplink ?? null) };
}

async function usePower(game) {
  const state = channel.state;
  const keys = state.keys.filter((one) => one.name !== "answer");
  const chosen = await pick("Powers", keys.map((one) => ({ value: one, label: one.label, note: rankName(state.table, one.rank), id: one.name })));
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
    setTimeout(openLinked);
  }
  desk.heard(changed);
  parts.update(state);
};
// A link to a record opens it.
function openLinked() {
  const named = /^#record-(\d+)-(\d+)$/.exec(location.hash);
  if (!named || document.querySelector(".record")) return;
  const [first, last] = [Number(named[1]), Number(named[2])];
  openRecord(channel.state.rounds.find((round) => round.first === first) ?? { first, last, round: 0 }, "pit", channel.state, game);
}
addEventListener("hashchange", openLinked);
channel.onLive = (live) => parts?.live(live);
channel.onLink = (up) => {
  document.body.classList.toggle("lost", !up);
  if (up && parts) desk.refresh();
};
