// Places and prizes, to look at and to print.

import { card, h, hall, lines, replace } from "./hall-parts.js";

hall("results", (body, { event, results }) => {
  if (!event) return replace(body, h("p", { class: "empty" }, "No event yet."));
  replace(body, h("button", { type: "button", class: "small-key main-key no-print", onclick: () => print() }, "Print"),
    h("h1", {}, event.title), h("p", { class: "muted" }, results.final ? (results.listed ? `Prize pool ${results.pool}` : "Final order; prizes are not listed yet") : "As things stand; nothing is final"),
    card("Places", lines([["Place", (one) => one.place, "num"], ["Entrant", (one) => h("b", {}, one.number)], ["Name", (one) => one.name], ["Prize", (one) => one.prize, "num"]], results.rows, "No places yet.")));
});
