// The bench: take hold of the simulators, and see at once what the table makes of it.

import { Channel, get, post } from "/static/channel.js";
import { h, replace, setText } from "/static/dom.js";
import * as game from "/game.js";
import { alarmList } from "/static/alarms.js";
import { checklist, rowsOf } from "/static/checklist.js";
import { Keys } from "/static/keys.js";
import { lineList } from "/static/lines.js";
import { head, lostBar, rankName, say, takeBackKey } from "/static/parts.js";
import { promptList } from "/static/prompts.js";
import { Desk } from "/static/desk.js";
import { firstMinute } from "./first-minute.js";
import { chipsMove, tray, wheelTurns } from "./hands.js";

document.head.append(h("link", { rel: "stylesheet", href: "/bench-static/bench.css" }));
const top = head("bench");
const main = h("main", {});
document.body.append(top.node, lostBar(), main);
const channel = new Channel("bench");
const desk = new Desk("bench", channel);
const who = h("button", { type: "button", class: "who" }, "Sign in");
who.addEventListener("click", () => (desk.me.person ? desk.signOut() : desk.signIn()));
top.right.append(who);
const minute = firstMinute(channel, desk, (name, args) => pull(name, args));
const beside = h("div", { class: "beside-the-felt" });
let parts;
let known = []; // the levers

// Do something to the simulated world; what came of it is told.
async function pull(name, args) {
  const answer = await post("/api/bench/pull", { name, args });
  say(answer.ok ? answer.said : answer.error, !answer.ok);
  if (answer.ok) {
    showStatus(answer.bench);
    minute.pulled(name);
  }
  return answer.ok;
}

const levers = h("div", { class: "levers" });
const status = h("div", { class: "bench-status" });

function leverForm(lever) {
  const inputs = {};
  const fields = (lever.params ?? []).map((param) => {
    const kind = param.kind ?? "number";
    let input;
    if (kind === "choice") {
      input = h("select", { name: param.name }, (param.choices ?? []).map((choice) => h("option", { value: choice, selected: choice === (param.default ?? 0) }, choice.replaceAll("_", " "))));
      inputs[param.name] = () => input.value;
    } else if (kind === "flag") {
      input = h("input", { type: "checkbox", name: param.name, checked: Boolean(param.default ?? 0) });
      inputs[param.name] = () => input.checked;
    } else if (kind === "text") {
      input = h("input", { name: param.name, value: param.default ?? "", maxlength: 200 });
      inputs[param.name] = () => input.value;
    } else {
      input = h("input", { type: "number", name: param.name, value: param.default ?? 0, min: param.least, max: param.most, step: param.step ?? "any" });
      inputs[param.name] = () => Number(input.value);
    }
    return h("label", { class: kind }, kind === "flag" ? [input, param.label] : [h("span", {}, param.unit ? `${param.label} (${param.unit})` : param.label), input]);
  });
  return h(
    "form",
    {
      class: "lever",
      "data-lever": lever.name,
      onsubmit: async (event) => {
        event.preventDefault();
        const args = Object.fromEntries(Object.entries(inputs).map(([name, read]) => [name, read()]));
        await pull(lever.name, args);
      },
    },
    fields,
    h("button", { class: "pull" }, lever.label),
    lever.hint ? h("p", { class: "lever-hint" }, lever.hint) : null,
  );
}

function showStatus(now) {
  if (!now || typeof now !== "object") return;
  replace(
    status,
    h("span", {}, `Seed ${now.seed}`),
    h("span", {}, now.paused ? "Paused" : `${now.speed} × real time`),
    now.people === undefined ? null : h("span", {}, now.people ? "People play" : "People stand back"),
    now.told ? h("b", {}, now.told) : null,
  );
  scenarios.node.classList.toggle("hidden", !now.plays);
}

// A scenario file from this machine: its cases to choose from, and the chosen one played on a table of its own.
function scenarioForm() {
  let cases = [];
  const choice = h("select", { name: "case", "aria-label": "Case" });
  const file = h("input", { type: "file", name: "file", accept: ".json,application/json", "aria-label": "Scenario file" });
  const play = h("button", { class: "pull", disabled: true }, "Play this case");
  file.addEventListener("change", async () => {
    try {
      const found = JSON.parse(await file.files[0].text());
      cases = Array.isArray(found) ? found : found.cases ?? [found];
    } catch (error) {
      cases = [];
      say(`This is no scenario file: ${error.message}`, true);
    }
    replace(choice, cases.map((one, place) => h("option", { value: place }, `${one.id ?? place} ${one.title ?? ""}`)));
    play.disabled = !cases.length;
  });
  const node = h("form", { class: "card", "data-lever": "scenario" }, h("h2", {}, "Scenario"), h("div", { class: "lever" }, h("label", { class: "text" }, h("span", {}, "File"), file), h("label", { class: "choice" }, h("span", {}, "Case"), choice), play));
  node.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await post("/api/bench/play", { case: cases[Number(choice.value)] });
    say(answer.ok ? answer.said : answer.error, !answer.ok);
  });
  return { node };
}

const scenarios = scenarioForm();

async function loadLevers() {
  const answer = await get("/api/bench");
  if (!answer.ok) return;
  const groups = new Map();
  for (const lever of answer.levers) groups.set(lever.group, [...(groups.get(lever.group) ?? []), lever]);
  known = answer.levers;
  replace(beside, tray(pull, known));
  replace(levers, [...groups].map(([name, list]) => h("section", { class: "card" }, h("h2", {}, name), list.map(leverForm))));
  showStatus(answer.bench);
}

async function copyScenario() {
  const answer = await get("/api/bench/scenario");
  if (!answer.ok) return say(answer.error, true);
  const { ok, status: code, ...scenario } = answer;
  const text = JSON.stringify(scenario, null, 2);
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied ${scenario.cases?.length ?? 0} rounds as a scenario file.`);
  } catch (error) {
    const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: "scenario.json" });
    link.click();
    say("Saved as scenario.json.");
  }
}

function build(state) {
  const picture = new game.Picture();
  const layout = game.layout({ compact: true });
  const title = h("div", { class: "headline", role: "status" });
  const hint = h("div", { class: "hint" });
  const answer = async (asked, option) => (await desk.answer(asked, option, game)) && minute.answered();
  const prompts = promptList(answer, game);
  const alarms = alarmList((alarm) => desk.clear(alarm), (now) => rowsOf(game, now).length > 0);
  const dues = checklist(game);
  const mistake = takeBackKey((pressed) => desk.takeBack(pressed));
  const keys = new Keys(desk, channel, game);
  const lines = lineList(14);
  const list = [top, picture, layout, alarms, dues, lines, mistake, minute];
  const felt = h("section", { class: "card felt" }, h("div", { class: "picture" }, picture.node), layout.node, beside);
  main.append(
    h("div", { class: "stack" }, felt),
    h(
      "div",
      { class: "beside" },
      h("div", { class: "stack" }, h("section", { class: "card work" }, h("div", { class: "title-line" }, title, hint, mistake.node), keys.main, keys.side), alarms.node, prompts.node, dues.node, h("section", { class: "card grow" }, h("h2", {}, "Said and decided"), lines.node)),
      h("div", { class: "stack" }, minute.node, h("section", { class: "card row between" }, status, h("button", { class: "pull", type: "button", onclick: copyScenario }, "Copy as scenario")), levers, scenarios.node),
    ),
  );
  chipsMove(felt, pull, (name) => known.some((lever) => lever.name === name));
  if (state.table.game === "wheel") wheelTurns(picture, pull, () => channel.state.game.turning);
  loadLevers();
  desk.refresh();
  return {
    picture,
    update(now) {
      const playing = ["open", "closing"].includes(now.life.life);
      const text = playing ? game.headline(now) : { title: `The table is ${now.life.life}`, hint: "" };
      setText(title, text.title);
      setText(hint, text.hint);
      for (const part of list) part.update(now);
      prompts.update(now, desk.rank);
      keys.update(now, playing);
    },
  };
}

desk.onMe = (me) => {
  replace(who, me.person ? [h("b", {}, me.person.name), h("span", { class: "muted" }, `${rankName(channel.state.table, me.person.rank)} · sign out`)] : "Sign in");
  if (parts) parts.update(channel.state);
};
channel.onState = (state) => {
  parts ??= build(state);
  parts.update(state);
};
channel.onLive = (live) => parts?.picture.live(live);
channel.onLink = (up) => {
  document.body.classList.toggle("lost", !up);
  if (up && parts) loadLevers();
};
setInterval(async () => {
  if (!channel.connected || document.hidden) return;
  const answer = await get("/api/bench");
  if (answer.ok) showStatus(answer.bench);
}, 5000);
