// One round's full record from the journal, and a replay one can step through.

import { get } from "./channel.js";
import { h, money, replace, sentence, setText, timeOf, words } from "./dom.js";
import { clauses, meanings } from "./clauses.js";
import { key, rankName, say } from "./parts.js";
import { restsOn, story } from "./story.js";
import { settlement } from "./tables.js";

const LEAST_MS = 150;
const MOST_MS = 1500;

export async function openRecord(round, place, state, game) {
  const answer = await get(`/api/rounds/${round.first}/${round.last}?place=${place}`);
  if (!answer.ok) return say(answer.error, true);
  const rows = answer.rows;
  const names = answer.names ?? {};
  const nameOf = (id) => names[id] ?? id;
  const says = new Map(await meanings(restsOn(rows)));
  const picture = new game.Picture();
  const layout = game.layout({ compact: true });
  const settled = settlement(game);
  const list = h("ol", { class: "rows", tabindex: "0", "aria-label": "Every event of the round" });
  const detail = h("div", { class: "row-detail" });
  const slider = h("input", { type: "range", min: 0, max: Math.max(0, rows.length - 1), value: 0, "aria-label": "Step" });
  const count = h("span", { class: "muted num" });
  const film = key("Play", "", { class: "small", "data-key": "film", "aria-pressed": "false", onclick: () => (playing ? pause() : play()) });
  let at = -1;
  let playing = 0; // the timer of the next step while the film runs

  const show = (wanted) => {
    const next = Math.max(0, Math.min(rows.length - 1, wanted));
    if (next === at) return;
    at = next;
    slider.value = String(at);
    count.textContent = `${at + 1} of ${rows.length} · event ${rows[at].seq}`;
    [...list.children].forEach((line, place_) => line.toggleAttribute("aria-current", place_ === at));
    bringUp(list, list.children[at]);
    replace(detail, describe(rows[at], state.table, nameOf));
    const view = rows[at].view;
    if (view) {
      const then = { ...state, game: view };
      for (const part of [picture, layout, settled]) part.update(then);
    }
  };

  // The round as it went, at its own pace; long waits are cut short.
  const play = () => {
    if (at >= rows.length - 1) show(0);
    const next = () => {
      if (at >= rows.length - 1) return pause();
      playing = setTimeout(() => {
        show(at + 1);
        next();
      }, Math.min(MOST_MS, Math.max(LEAST_MS, rows[at + 1].at - rows[at].at)));
    };
    mark(true);
    next();
  };
  const pause = () => {
    clearTimeout(playing);
    playing = 0;
    mark(false);
  };
  const mark = (on) => {
    film.setAttribute("aria-pressed", String(on));
    setText(film.querySelector(".label"), on ? "Pause" : "Play");
  };
  const step = (by) => {
    pause();
    show(at + by);
  };

  replace(list, rows.map((row, number) => h("li", { onclick: () => show(number) }, h("time", {}, timeOf(row.at)), h("span", { class: row.taken_back ? "undone" : "" }, sentence(eventWords(row, nameOf))), h("span", { class: "muted" }, [row.taken_back ? "taken back" : "", row.keyed ? "keyed by hand" : "", concluded(row)].filter(Boolean).join(": ")))));
  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value));
  });
  const close = () => {
    pause();
    document.removeEventListener("keydown", onKey);
    back.remove();
  };
  const onKey = (event) => {
    if (event.key === "Escape") close();
    if (event.key === "ArrowRight" && document.activeElement !== slider) step(1);
    if (event.key === "ArrowLeft" && document.activeElement !== slider) step(-1);
  };
  document.addEventListener("keydown", onKey);
  const sheet = h(
    "div",
    { class: "record", role: "dialog", "aria-modal": "true", "aria-label": `Record of round ${round.round}` },
    h("div", { class: "row record-head" }, h("h2", {}, `Round ${round.round || "without a number"}`), h("span", { class: "muted" }, span(rows, round)), h("span", { class: "grow" }), h("a", { class: "rule", href: `#record-${round.first}-${round.last}` }, "Link"), key("Print", "", { class: "small", onclick: () => print() }), key("Close", "", { class: "small", "data-key": "close-record", onclick: close })),
    h("div", { class: "record-scroll", tabindex: "0", role: "region", "aria-label": "The record" }, story(rows, state, game, nameOf, says), h("h2", { class: "record-step" }, "Step by step"), h(
      "div",
      { class: "record-body" },
      h("div", { class: "stack" }, rows[0]?.view ? h("div", { class: "card replay" }, picture.node) : null, rows[0]?.view ? layout.node : h("p", { class: "muted" }, "This round lies too far back to be replayed here; its rows are complete."), game.recordParts?.(rows, state.table)),
      h("div", { class: "stack" }, h("div", { class: "row stepper" }, key("‹", "", { "aria-label": "Step back", onclick: () => step(-1) }), film, slider, key("›", "", { "aria-label": "Step on", "data-key": "step", onclick: () => step(1) })), count, list, detail, h("section", { class: "card" }, settled.node)),
    )),
  );
  const back = h("div", { class: "sheet-back" }, sheet);
  document.body.append(back);
  picture.update({ ...state, game: rows[0]?.view ?? state.game });
  show(0);
  sheet.querySelector("[data-key=close-record]")?.focus();
}

// Only the list moves: the record around it stays where whoever reads it has it.
function bringUp(list, line) {
  if (!line) return;
  if (line.offsetTop < list.scrollTop) list.scrollTop = line.offsetTop;
  else if (line.offsetTop + line.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = line.offsetTop + line.offsetHeight - list.clientHeight;
}

function span(rows, round) {
  const from = rows[0]?.at;
  if (!from) return `journal rows ${round.first} to ${round.last}`;
  const { lang } = document.documentElement;
  const day = new Date(from).toLocaleDateString(lang === "en" ? "en-AU" : lang, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  return `${day}, ${timeOf(from)} to ${timeOf(rows.at(-1).at)}, journal rows ${round.first} to ${round.last}`;
}

function eventWords({ event, label, moves }, nameOf) {
  if (event.type === "Command") return `${nameOf(event.by?.id)}: ${label ?? words(event.name)}`;
  if (event.type === "TimerDue") return "A time was up";
  const told = (moves ?? []).flatMap(({ name, laid, taken }) => {
    const place = name || "the float";
    return [laid ? `${money(laid)} laid on ${place}` : "", taken ? `${taken} ${taken === 1 ? "chip" : "chips"} taken from ${place}` : ""];
  });
  if (told.some(Boolean)) return told.filter(Boolean).join(", ");
  return event.type.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

const UNSAID = new Set(["TimerSet", "TimerOff", "Desired"]);

function concluded(row) {
  const kinds = (row.effects ?? []).filter((effect) => !UNSAID.has(effect.type));
  return kinds.map((effect) => (effect.type === "Moved" ? words(effect.dest) : words(effect.what ?? effect.code ?? effect.subject ?? effect.type))).join(", ");
}

function describe(row, table, nameOf) {
  const facts = Object.entries(row.event).filter(([name]) => !["type", "verdict", "by", "name"].includes(name));
  return [
    h("h3", { class: row.taken_back ? "undone" : "" }, sentence(eventWords(row, nameOf))),
    row.taken_back ? h("p", { "data-part": "taken-back" }, `Taken back by ${nameOf(row.taken_back.by)} in event ${row.taken_back.seq}${row.taken_back.reason ? `: ${row.taken_back.reason}` : ""}. Nothing of it stands.`) : null,
    row.keyed ? h("p", { "data-part": "keyed" }, "A person keyed this in: the device that would have told it was not used.") : null,
    facts.length ? h("dl", { class: "facts" }, facts.map(([name, value]) => [h("dt", {}, words(name)), h("dd", {}, plain(value, name))])) : null,
    (row.effects ?? []).filter((effect) => !UNSAID.has(effect.type)).map((effect) => h("div", { class: "effect" }, h("b", {}, sentence(effect.type)), " ", effectText(effect, table, nameOf), " ", clauses(effect.clauses))),
  ];
}

// Anything in words: lists with commas, parts by their names, never as programs write it.
function plain(value, name = "") {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && /cents|pays|stake|amount/.test(name)) return money(value);
  if (Array.isArray(value)) return value.length ? value.map((one) => plain(one, name)).join(", ") : "none";
  if (typeof value === "object") return Object.entries(value).map(([part, of]) => `${words(part)} ${plain(of, part)}`).join(", ") || "none";
  return words(value);
}

function effectText(effect, table, nameOf) {
  switch (effect.type) {
    case "Moved": return `${effect.machine}: ${words(effect.source)} → ${words(effect.dest)}`;
    case "Settled": return `${effect.outcome}: pays ${money(effect.results.reduce((sum, one) => sum + one.pays, 0))}, takes ${money(effect.results.reduce((sum, one) => sum + one.stake_taken, 0))}`;
    case "Noted": return `${words(effect.what)}: ${plain(effect.facts)}`;
    case "Ruled": return `${words(effect.subject)}: ${words(effect.answer)} by ${nameOf(effect.by)} (${rankName(table, effect.rank) || "the table"}) ${effect.reason ?? ""}`;
    default: return effect.text ?? effect.code ?? "";
  }
}
