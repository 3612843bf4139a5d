// Pieces that several screens share.

import { h, s, words, sentence, replace, whenChanged } from "./dom.js";
import { LANGUAGES, THEMES, choose, chosen, wearTheme } from "./screen.js";

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

export function rankName(table, level) {
  if (!level || level <= 0) return "";
  return table?.ranks?.find((rank) => rank.level === level)?.name ?? `Rank ${level}`;
}

// A rank is called by its name, whatever number the table writes.
let ranks = null;
export function floorWords(text) {
  return String(text ?? "").replace(/\brank (\d+)\b/g, (said, level) => rankName(ranks, Number(level)) || said);
}

// The bar at the top: which table, what life, where one can go.
export function head(place) {
  const name = h("h1", { class: "name" }, "…");
  const sub = h("div", { class: "sub" });
  const badge = h("span", {});
  const nav = h("nav", { "aria-label": "Screens" });
  const right = h("div", { class: "row" });
  const set = h("button", { type: "button", class: "screen-set", "aria-label": "How this screen is set", "data-key": "screen", onclick: setScreen }, "Aa");
  wearTheme();
  const bar = h("header", { class: "head" }, h("div", { class: "grow" }, name, sub), nav, badge, right, set);
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
      ranks = state.table;
      drawTable(state.table);
      drawLife(state.life);
    },
  };
}

// Light or dark, and the language of this screen alone.
async function setScreen() {
  const { askFields } = await import("./sheets.js");
  const { language } = chosen();
  const told = await askFields("How this screen is set", [{ name: "theme", label: "Light", kind: "choice", choices: THEMES, optional: true }, { name: "language", label: "Language", kind: "choice", choices: LANGUAGES, optional: true }]);
  if (!told) return;
  choose(told);
  wearTheme();
  if (told.language && told.language !== language) location.reload();
}

export function lostBar() {
  return h("div", {},
    h("div", { class: "lost-bar", role: "alert" }, "No connection to the table. What is shown may be old; trying again…"),
    h("div", { class: "slow-bar", role: "alert" }, "The disk is slow. This is how the table stood some seconds ago; wait before you act on it."),
  );
}

// The last key, as long as it may be taken back.
export function takeBackKey(onTakeBack) {
  const node = h("div", { class: "take-back" });
  const draw = whenChanged((pressed) => replace(node, pressed ? key(`Take back “${pressed.label}”`, "", { class: "small", "data-key": "take_back", onclick: () => onTakeBack(pressed) }) : null));
  return { node, update: (state) => draw(state.people?.pressed ?? null) };
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

let saidTimer;
export function say(text, bad = false) {
  document.querySelector(".said")?.remove();
  const node = h("div", { class: `said ${bad ? "bad" : ""}`, role: "alert" }, floorWords(text));
  document.body.append(node);
  clearTimeout(saidTimer);
  saidTimer = setTimeout(() => node.remove(), bad ? 7000 : 3000);
}

export function key(label, note, attrs = {}) {
  return h("button", { type: "button", ...attrs, class: `key ${attrs.class ?? ""}` }, h("span", { class: "label" }, label), note ? h("span", { class: "note" }, note) : null);
}
