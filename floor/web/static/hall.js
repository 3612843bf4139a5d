// The Director's page: how the event stands, what needs a person, and every act that whoever looks may do now.

import { post } from "/static/channel.js";
import { card, h, hall, lines, replace, units, words } from "./hall-parts.js";

let chosen = "", said = "", drawn = "";
const board = h("div", {}), form = h("div", {});

hall("director", (body, answer) => {
  if (!board.isConnected) replace(body, board, form);
  drawForm(answer.offered);
  const now = JSON.stringify({ ...answer, at: 0, clock: 0, offered: 0 });
  if (now === drawn) return;
  drawn = now;
  drawBoard(answer);
});

function drawBoard({ event, phase, field, tables, tickets, alarms, lines: through, disputes, due, trouble }) {
  if (!event) return replace(board, h("p", { class: "empty" }, "No terms are loaded yet: load them below."));
  const warn = [...alarms, ...(due ? [`Held until the regulator is told: ${due}.`] : []), ...(trouble ? [trouble] : []), ...(event.present ? [] : ["No Director is present; a key of theirs here, such as “I am here”, or a card at a table shows it."])];
  const open = tickets.filter((one) => ["ordered", "in_transit", "refused"].includes(one.phase));
  const sums = [["Stands", words(phase)], ["Session", event.session || "none yet"], ["Left", `${field.left} of ${field.entered}`], ["Units in play", units(field.units)], ["In transit", units(field.in_transit)], ["Director", event.director || "not named"]];
  replace(board,
    warn.length ? h("section", { class: "hall-warn", role: "status" }, warn.map((text) => h("p", {}, text))) : "",
    h("dl", { class: "hall-sums" }, sums.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value)))),
    through.length ? card("Who goes on", lines([["Table", (one) => one.table || "all"], ["Through", (one) => one.through.join(", ")], ["Equal", (one) => one.equal.length ? `${one.equal.join(", ")} for ${one.left}` : ""]], through, "")) : "",
    h("div", { class: "two" },
      card("Tables", lines([["Table", (one) => h("a", { href: `/hall/table/${one.name}` }, one.name)], ["Stands", (one) => one.broken ? "broken" : one.agreed ? "agreed" : one.begun ? `round ${one.scored}` : one.designated ? "designated" : "free"], ["Sit", (one) => one.sit, "num"], ["Units", (one) => units(one.units), "num"]], tables, "No table was heard of yet.")),
      card("Moves under way", lines([["Ticket", (one) => one.number, "num"], ["Entrant", (one) => one.entrant], ["From", (one) => one.from], ["To", (one) => one.to], ["Stands", (one) => words(one.phase)]], open, "Nobody is being moved."))),
    disputes.length ? card("Disputes", lines([["No.", (one) => one.number, "num"], ["About", (one) => one.about], ["Decided", (one) => one.decision ? `${one.decision} (${one.by})` : "open"]], disputes, "")) : "");
}

function drawForm(offered) {
  const now = offered.map((one) => one.act).join();
  if (form.dataset.offered === now) return;
  form.dataset.offered = now;
  if (!offered.some((one) => one.act === chosen)) chosen = offered[0]?.act ?? "";
  const keys = h("div", { class: "hall-keys" }, offered.map((one) => h("button", { type: "button", class: "small-key", "data-act": one.act, onclick: () => { chosen = one.act; said = ""; fields(offered); } }, one.words)));
  replace(form, card("What can be done now", offered.length ? keys : h("p", { class: "empty" }, "Nothing, with your rank and role."), h("div", { class: "hall-form" })));
  fields(offered);
}

function fields(offered) {
  const act = offered.find((one) => one.act === chosen), place = form.querySelector(".hall-form");
  for (const key of form.querySelectorAll("[data-act]")) key.classList.toggle("main-key", key.dataset.act === chosen);
  if (!act) return replace(place, h("p", { class: "hall-said" }, said));
  const asked = [...act.fields, ...(act.act === "enter" ? [{ name: "person", kind: "text", optional: true }] : [])];
  const inputs = asked.map((one) => h("label", {}, words(one.name), input(one)));
  const send = async (event) => { event.preventDefault(); await doIt(act, asked, place); };
  replace(place, h("form", { class: "search", onsubmit: send }, inputs, h("button", { type: "submit", class: "small-key main-key", "data-key": "do" }, act.words)), h("p", { class: "hall-said", role: "status" }, said));
}

function input({ name, kind, choices, optional }) {
  if (kind === "flag") return h("input", { type: "checkbox", name });
  if (kind === "choice") return h("select", { name }, choices.map((one) => h("option", { value: one }, words(one))));
  if (name === "text") return h("textarea", { name, rows: 8, cols: 60 });
  const hint = kind === "names" ? "P1, P2" : kind === "pairs" ? "P1 2000, P2 1500 (dollars)" : "";
  return h("input", { name, type: kind === "number" ? "number" : "text", placeholder: hint, required: optional || kind === "names" || kind === "pairs" ? null : "" });
}

function value({ name, kind }, element) {
  if (kind === "flag") return element.checked;
  const text = element.value.trim();
  if (kind === "number") return name === "cents" ? Math.round(Number(text) * 100) : Number(text);
  if (kind === "names") return text.split(/[\s,]+/).filter(Boolean);
  if (kind === "pairs") return Object.fromEntries(text.split(",").map((pair) => pair.trim().split(/\s+/)).filter((pair) => pair.length === 2).map(([who, much]) => [who, Math.round(Number(much) * 100)]));
  return text;
}

async function doIt(act, asked, place) {
  const args = {}, elements = place.querySelector("form").elements;
  for (const one of asked) if (one.name !== "person") args[one.name] = value(one, elements[one.name]);
  const answer = await post("/api/hall/do", { act: act.act, args, person: elements.person?.value?.trim() ?? "" });
  said = answer.said ?? answer.error ?? "";
  drawn = "";
  const shown = place.querySelector(".hall-said");
  if (shown) { shown.textContent = said; shown.classList.toggle("fine", Boolean(answer.ok)); }
}
