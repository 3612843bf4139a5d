// One round's full record from the journal, and a replay one can step through.

import { get } from "./channel.js";
import { h, money, replace, sentence, timeOf, words } from "./dom.js";
import { clauses } from "./clauses.js";
import { key, say } from "./parts.js";
import { settlement } from "./tables.js";

export async function openRecord(round, place, state, game) {
  const answer = await get(`/api/rounds/${round.first}/${round.last}?place=${place}`);
  if (!answer.ok) return say(answer.error, true);
  const rows = answer.rows;
  const picture = new game.Picture();
  const layout = game.layout({ compact: true });
  const settled = settlement(game);
  const list = h("ol", { class: "rows" });
  const detail = h("div", { class: "row-detail" });
  const slider = h("input", { type: "range", min: 0, max: Math.max(0, rows.length - 1), value: 0, "aria-label": "Step" });
  const count = h("span", { class: "muted num" });
  let at = -1;

  const show = (wanted) => {
    const next = Math.max(0, Math.min(rows.length - 1, wanted));
    if (next === at) return;
    at = next;
    slider.value = String(at);
    count.textContent = `${at + 1} of ${rows.length} · event ${rows[at].seq}`;
    [...list.children].forEach((line, place_) => line.toggleAttribute("aria-current", place_ === at));
    list.children[at]?.scrollIntoView({ block: "nearest" });
    replace(detail, describe(rows[at]));
    const view = rows[at].view;
    if (view) {
      const then = { ...state, game: view };
      for (const part of [picture, layout, settled]) part.update(then);
    }
  };

  replace(list, rows.map((row, number) => h("li", { onclick: () => show(number) }, h("time", {}, timeOf(row.at)), h("span", { class: row.taken_back ? "undone" : "" }, sentence(eventWords(row.event))), h("span", { class: "muted" }, [row.taken_back ? "taken back" : "", concluded(row)].filter(Boolean).join(": ")))));
  slider.addEventListener("input", () => show(Number(slider.value)));
  const close = () => {
    document.removeEventListener("keydown", onKey);
    back.remove();
  };
  const onKey = (event) => {
    if (event.key === "Escape") close();
    if (event.key === "ArrowRight" && document.activeElement !== slider) show(at + 1);
    if (event.key === "ArrowLeft" && document.activeElement !== slider) show(at - 1);
  };
  document.addEventListener("keydown", onKey);
  const sheet = h(
    "div",
    { class: "record", role: "dialog", "aria-modal": "true", "aria-label": `Record of round ${round.round}` },
    h("header", { class: "row" }, h("h3", {}, `Round ${round.round}`), h("span", { class: "muted" }, `journal rows ${round.first} to ${round.last}`), h("span", { class: "grow" }), key("Close", "", { class: "small", "data-key": "close-record", onclick: close })),
    h(
      "div",
      { class: "record-body" },
      h("div", { class: "stack" }, rows[0]?.view ? h("div", { class: "card replay" }, picture.node) : null, rows[0]?.view ? layout.node : h("p", { class: "muted" }, "This round lies too far back to be replayed here; its rows are complete."), game.recordParts?.(rows, state.table)),
      h("div", { class: "stack" }, h("div", { class: "row stepper" }, key("‹", "", { "aria-label": "Step back", onclick: () => show(at - 1) }), slider, key("›", "", { "aria-label": "Step on", "data-key": "step", onclick: () => show(at + 1) })), count, list, detail, h("section", { class: "card" }, settled.node)),
    ),
  );
  const back = h("div", { class: "sheet-back" }, sheet);
  document.body.append(back);
  picture.update({ ...state, game: rows[0]?.view ?? state.game });
  show(0);
  sheet.querySelector("[data-key=step]")?.focus();
}

function eventWords(event) {
  if (event.type === "Command") return `${event.by?.id}: ${words(event.name)}`;
  return event.type.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

function concluded(row) {
  const kinds = (row.effects ?? []).filter((effect) => !["TimerSet", "TimerOff", "Desired"].includes(effect.type));
  return kinds.length ? kinds.map((effect) => (effect.type === "Moved" ? words(effect.dest) : words(effect.what ?? effect.code ?? effect.subject ?? effect.type))).join(", ") : "";
}

function describe(row) {
  const facts = Object.entries(row.event).filter(([name]) => name !== "type" && name !== "verdict");
  return [
    h("h3", { class: row.taken_back ? "undone" : "" }, sentence(eventWords(row.event))),
    row.taken_back ? h("p", { "data-part": "taken-back" }, `Taken back by ${row.taken_back.by} in event ${row.taken_back.seq}${row.taken_back.reason ? `: ${row.taken_back.reason}` : ""}. Nothing of it stands.`) : null,
    facts.length ? h("dl", { class: "facts" }, facts.map(([name, value]) => [h("dt", {}, words(name)), h("dd", {}, plain(value))])) : null,
    (row.effects ?? []).map((effect) => h("div", { class: "effect" }, h("b", {}, sentence(effect.type)), " ", effectText(effect), " ", clauses(effect.clauses))),
  ];
}

function plain(value) {
  if (value === null || typeof value !== "object") return String(value);
  const text = JSON.stringify(value);
  return text.length > 220 ? `${text.slice(0, 220)}…` : text;
}

function effectText(effect) {
  switch (effect.type) {
    case "Moved": return `${effect.machine}: ${words(effect.source)} → ${words(effect.dest)}`;
    case "Settled": return `${effect.outcome}: pays ${money(effect.results.reduce((sum, one) => sum + one.pays, 0))}, takes ${money(effect.results.reduce((sum, one) => sum + one.stake_taken, 0))}`;
    case "Noted": return `${words(effect.what)} ${plain(effect.facts)}`;
    case "Ruled": return `${words(effect.subject)}: ${words(effect.answer)} by ${effect.by} (rank ${effect.rank}) ${effect.reason ?? ""}`;
    case "Desired": return `${effect.device} ${plain(effect.outputs)}`;
    default: return effect.text ?? effect.timer ?? effect.code ?? "";
  }
}
