// Seat cards to print: one for each entrant with a seat, eight on a page.

import { h, hall, replace } from "./hall-parts.js";

let drawn = "";
hall("cards", (body, { entrants, event }) => {
  if (!event) return replace(body, h("p", { class: "empty" }, "No event yet."));
  const seated = entrants.filter((one) => one.table && ["seated", "playing", "in_transit"].includes(one.phase));
  const now = JSON.stringify(seated.map((one) => [one.number, one.table, one.seat, one.name]));
  if (now === drawn) return;
  drawn = now;
  replace(body, h("button", { type: "button", class: "small-key main-key no-print", onclick: () => print() }, "Print"),
    seated.length ? h("div", { class: "seat-cards" }, seated.map((one) => h("article", { class: "seat-card" }, h("div", { class: "muted" }, `${event.title} · ${event.session}`), h("div", { class: "entrant-number" }, one.number), h("div", {}, one.name), h("div", { class: "where" }, h("b", {}, one.table), ` seat ${one.seat}`), h("div", { class: "muted" }, `drawn from ${event.entropy.slice(0, 12)}… · terms ${event.digest.slice(0, 8)}`)))) : h("p", { class: "empty" }, "No seats are drawn."));
});
