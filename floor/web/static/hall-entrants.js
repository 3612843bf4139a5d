// Entrants and where they sit.

import { card, hall, lines, replace, units, words, h } from "./hall-parts.js";

hall("entrants", (body, { entrants, event }) => {
  if (!event) return replace(body, h("p", { class: "empty" }, "No event yet."));
  const where = (one) => one.table ? h("a", { href: `/hall/table/${one.table}` }, `${one.table} seat ${one.seat}`) : "";
  replace(body, card(`${entrants.length} entrants`, lines([["Number", (one) => h("b", {}, one.number)], ["Name", (one) => one.name], ["Stands", (one) => [words(one.phase), one.flags.length ? ` (${one.flags.join(", ")})` : "", one.signed ? "" : " · not signed"]], ["Seat", where], ["Units", (one) => units(one.bank), "num"], ["Paid", (one) => one.paid, "num"], ["Back", (one) => one.refunded, "num"], ["Place", (one) => one.place || "", "num"]], entrants, "Nobody has entered yet.")));
});
