// Pieces that several screens share.

import { h, s, words, sentence, money, replace, whenChanged, timeOf } from "./dom.js";

const LIFE = {
  closed: ["Closed", "M2 2h8v8H2z"],
  opening: ["Opening", "M6 1l5 10H1z"],
  open: ["Open", "M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1z"],
  closing: ["Closing", "M1 1h10L6 11z"],
  suspended: ["Suspended", "M2 1h3v10H2zM7 1h3v10H7z"],
  broken: ["Journal failed", "M1 3l2-2 3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z"],
};

export function icon(path, box = 12) {
  return s("svg", { viewBox: `0 0 ${box} ${box}`, "aria-hidden": "true" }, s("path", { d: path, fill: "currentColor" }));
}

export function lifeBadge(life) {
  const key = life?.broken ? "broken" : life?.life ?? "closed";
  const [label, path] = LIFE[key] ?? LIFE.closed;
  return h("span", { class: `badge ${key}`, role: "status" }, icon(path), label);
}

export function clauses(list) {
  if (!list || !list.length) return null;
  return h("span", { class: "clauses" }, list.filter(Boolean).map((clause) => h("span", { class: "clause", title: clause }, clause.split(" [")[0])));
}

export function rankName(table, level) {
  if (!level || level <= 0) return "";
  return table?.ranks?.find((rank) => rank.level === level)?.name ?? `Rank ${level}`;
}

// The bar at the top: which table, what life, where one can go.
export function head(place) {
  const name = h("div", { class: "name" }, "…");
  const sub = h("div", { class: "sub" });
  const badge = h("span", {});
  const nav = h("nav", { "aria-label": "Screens" });
  const right = h("div", { class: "row" });
  const bar = h("header", { class: "head" }, h("div", { class: "grow" }, name, sub), nav, badge, right);
  const drawTable = whenChanged((table) => {
    name.textContent = table.name;
    sub.textContent = table.rulebook;
    document.title = `${sentence(place)} · ${table.name}`;
    if (table.practice) {
      const places = [["/", "Status", "status"], ["/dealer", "Dealer", "dealer"], ["/pit", "Pit", "pit"], ["/sign", "Sign", "sign"]];
      if (table.annex) places.push([`/${table.annex.place}`, table.annex.label, table.annex.place]);
      replace(nav, places.map(([path, label, key]) => h("a", { href: path, "aria-current": key === place ? "page" : null }, label)));
    }
  });
  const drawLife = whenChanged((life) => replace(badge, lifeBadge(life)));
  return {
    node: bar,
    right,
    update(state) {
      drawTable(state.table);
      drawLife(state.life);
    },
  };
}

export function lostBar() {
  return h("div", {},
    h("div", { class: "lost-bar", role: "alert" }, "No connection to the table. What is shown may be old; trying again…"),
    h("div", { class: "slow-bar", role: "alert" }, "The disk is slow. This is how the table stood some seconds ago; wait before you act on it."),
  );
}

export function alarmList(onClear) {
  const node = h("div", { class: "stack", "aria-live": "assertive" });
  const draw = whenChanged((alarms, broken, table) => {
    const items = alarms.map((alarm) => alarmBox(alarm, table, onClear));
    if (broken) items.unshift(alarmBox({ code: "journal", text: "The journal cannot be written.", remedy: broken, suspends: true, clauses: [] }, table));
    replace(node, items);
  });
  return { node, update: (state) => draw(state.alarms, state.life.broken, state.table) };
}

function alarmBox(alarm, table, onClear) {
  return h(
    "div",
    { class: `alarm ${alarm.suspends ? "suspends" : ""}`, "data-code": alarm.code },
    h("div", { class: "what" }, h("span", { class: "mark", "aria-hidden": "true" }, alarm.suspends ? "■" : "▲"), h("span", {}, alarm.text), alarm.count > 1 ? h("span", { class: "times" }, `${alarm.count}×`) : null),
    h("div", { class: "remedy" }, alarm.remedy, " ", clauses(alarm.clauses)),
    onClear && alarm.rank
      ? h("button", { class: "key", type: "button", onclick: () => onClear(alarm) }, h("span", { class: "label" }, alarm.suspends ? "Looked at and cleared" : "Seen to"), h("span", { class: "note" }, rankName(table, alarm.rank)))
      : null,
  );
}

// The last key, as long as it may be taken back.
export function takeBackKey(onTakeBack) {
  const node = h("div", { class: "take-back" });
  const draw = whenChanged((pressed) => replace(node, pressed ? key(`Take back “${pressed.label}”`, "", { class: "small", "data-key": "take_back", onclick: () => onTakeBack(pressed) }) : null));
  return { node, update: (state) => draw(state.people?.pressed ?? null) };
}

const HIDDEN_EVIDENCE = new Set(["findings", "changes", "wagers", "tag"]);

function evidenceText(name, value) {
  if (typeof value === "number") {
    if (/cents|pays|stake|amount|counted/.test(name)) return money(value);
    return Number.isInteger(value) ? String(value) : value.toFixed(2);
  }
  if (Array.isArray(value)) return value.map((one) => (typeof one === "object" ? null : words(one))).filter((one) => one !== null).join(", ") || "none";
  if (value === null || value === undefined) return "unknown";
  return typeof value === "object" ? JSON.stringify(value) : words(value);
}

export function evidence(found) {
  const list = [];
  for (const [name, value] of Object.entries(found ?? {})) {
    if (HIDDEN_EVIDENCE.has(name)) continue;
    list.push(h("div", {}, h("dt", {}, sentence(name)), h("dd", {}, evidenceText(name, value))));
  }
  for (const finding of found?.findings ?? []) list.push(h("div", {}, h("dt", {}, sentence(finding.kind)), h("dd", {}, finding.text)));
  for (const change of found?.changes ?? [])
    list.push(h("div", {}, h("dt", {}, sentence(change.kind)), h("dd", {}, `${money(change.cents)} ${change.owner ? "of " + change.owner : ""} after ${(change.after_ms / 1000).toFixed(1)} s`)));
  for (const wager of found?.wagers ?? []) list.push(h("div", {}, h("dt", {}, wager.symbol ?? wager.bet ?? ""), h("dd", {}, `${money(wager.cents ?? wager.amount ?? 0)} ${wager.owner ?? wager.player ?? ""}`)));
  return h("dl", { class: "evidence" }, list);
}

export function promptList(onAnswer, game = {}) {
  const node = h("div", { class: "stack", "aria-live": "polite" });
  const draw = whenChanged((prompts, rank, table) => {
    replace(
      node,
      prompts.map((asked) =>
        h(
          "section",
          { class: "prompt", "data-prompt": asked.prompt, "data-subject": asked.subject },
          h("h3", {}, asked.text),
          evidence(game.evidence?.(asked, table) ?? asked.evidence),
          clauses(asked.clauses),
          h(
            "div",
            { class: "options" },
            asked.options.map((option) => {
              const proposed = option.answer === asked.proposal;
              const needs = option.rank > 1 || option.rank > rank ? rankName(table, option.rank) : "";
              const notes = [proposed ? "Proposed" : "", needs, option.needs_reason ? "with a reason" : "", option.clause].filter(Boolean);
              return h(
                "button",
                { class: `key ${proposed ? "proposed" : ""}`, type: "button", "data-answer": option.answer, onclick: onAnswer ? () => onAnswer(asked, option) : null, disabled: !onAnswer },
                h("span", { class: "label" }, option.label),
                h("span", { class: "note" }, notes.join(" · ")),
              );
            }),
          ),
        ),
      ),
    );
  });
  return { node, update: (state, rank) => draw(state.prompts, rank ?? 0, state.table) };
}

const UP = "M7 1a6 6 0 1 1 0 12A6 6 0 0 1 7 1z";
const BAD = "M2 4l2-2 3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z";

export function deviceList(detailed) {
  const node = h("ul", {});
  const draw = whenChanged((devices) => {
    replace(
      node,
      devices.map((device) => {
        const up = device.table === "up";
        const counters = Object.entries(device.counters ?? {}).filter(([, count]) => count);
        return h(
          "li",
          { class: "device", "data-device": device.name },
          h("span", { class: up ? "up" : "bad" }, icon(up ? UP : BAD, 14)),
          h("span", { class: "dname" }, sentence(device.name)),
          h("span", { class: "muted" }, words(up ? device.state ?? "up" : device.table)),
          h("span", { class: "detail" }, [device.serial, device.firmware && `firmware ${device.firmware}`, device.port].filter(Boolean).join(" · ") || "nothing heard yet"),
          detailed && counters.length ? h("span", { class: "detail" }, counters.map(([name, count]) => `${words(name)} ${count}`).join(", ")) : null,
        );
      }),
    );
  });
  return {
    node,
    update: (state) => draw(detailed ? state.devices : state.devices.map(({ counters, ...rest }) => rest)),
  };
}

export function lineList(most = 14, wanted = () => true) {
  const node = h("ul", { class: "lines", "aria-label": "What was said and decided" });
  const draw = whenChanged((lines) => {
    replace(
      node,
      lines.map((line) => h("li", { class: line.kind === "refused" ? "refused" : "" }, h("time", {}, timeOf(line.at)), h("span", {}, line.text, " ", clauses(line.clauses)))),
    );
  });
  return { node, update: (state) => draw(state.lines.filter((line) => line.to !== "sign" && wanted(line)).slice(-most).reverse()) };
}

let saidTimer;
export function say(text, bad = false) {
  document.querySelector(".said")?.remove();
  const node = h("div", { class: `said ${bad ? "bad" : ""}`, role: "alert" }, text);
  document.body.append(node);
  clearTimeout(saidTimer);
  saidTimer = setTimeout(() => node.remove(), bad ? 7000 : 3000);
}

export function key(label, note, attrs = {}) {
  return h("button", { type: "button", ...attrs, class: `key ${attrs.class ?? ""}` }, h("span", { class: "label" }, label), note ? h("span", { class: "note" }, note) : null);
}
