// The table at a glance; nothing can be pressed here.

import { Channel } from "./channel.js";
import { h, setText } from "./dom.js";
import * as game from "/game.js";
import { alarmList } from "./alarms.js";
import { lineList } from "./lines.js";
import { deviceList, head, lostBar } from "./parts.js";
import { promptList } from "./prompts.js";
import { resultStrip } from "./results.js";
import { settlement } from "./tables.js";

const top = head("status");
const main = h("main", {});
document.body.append(top.node, lostBar(), main);

let parts;

function build(state) {
  const picture = new game.Picture();
  const title = h("div", { class: "headline", role: "status" });
  const hint = h("div", { class: "hint" });
  const list = [top, picture, game.layout(), promptList(null, game), alarmList(null), deviceList(false), lineList(12), resultStrip(game), settlement(game)];
  const [, , layout, prompts, alarms, devices, lines, results, settled] = list;
  main.append(
    h("div", { class: "stack" }, h("section", { class: "card picture" }, picture.node), h("section", { class: "card" }, h("h2", {}, "Last results"), results.node)),
    h("div", { class: "stack" }, h("section", { class: "card" }, title, hint), alarms.node, prompts.node, layout.node, h("section", { class: "card" }, settled.node)),
    h("div", { class: "stack third" }, h("section", { class: "card" }, h("h2", {}, "Devices"), devices.node), h("section", { class: "card" }, h("h2", {}, "Said and decided"), lines.node)),
  );
  return {
    picture,
    update(now) {
      const words = game.headline(now);
      setText(title, now.life.life === "open" || now.life.life === "closing" ? words.title : lifeWords(now.life));
      setText(hint, now.life.life === "open" || now.life.life === "closing" ? words.hint : "");
      for (const part of list) part.update(now);
    },
  };
}

function lifeWords(life) {
  return { closed: "The table is closed", opening: "The table is opening", suspended: "The table is suspended" }[life.life] ?? "";
}

const channel = new Channel("status");
channel.onState = (state) => {
  parts ??= build(state);
  parts.update(state);
};
channel.onLive = (live) => parts?.picture.live(live);
channel.onLink = (up) => document.body.classList.toggle("lost", !up);
