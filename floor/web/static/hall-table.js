// One table of the event: who sits where, with how much, and what was heard from it.

import { card, h, hall, lines, replace, units, words } from "./hall-parts.js";

const name = decodeURIComponent(location.pathname.split("/").pop());
hall("table", (body, { tables, tickets, event }) => {
  const table = tables?.find((one) => one.name === name);
  if (!event || !table) return replace(body, h("p", { class: "empty" }, `Nothing was heard of ${name} yet.`));
  const said = table.broken ? "broken" : table.agreed ? "counted and agreed" : table.begun ? `playing, round ${table.scored}` : table.designated ? "designated" : "free";
  const moving = tickets.filter((one) => [one.from, one.to].some((place) => place.startsWith(`${name} `)) && ["ordered", "in_transit", "refused"].includes(one.phase));
  replace(body, h("h1", {}, `${name}: ${said}`),
    card("Seats", lines([["Seat", (one) => one.seat, "num"], ["Entrant", (one) => h("b", {}, one.number)], ["Stands", (one) => words(one.phase)], ["Units", (one) => units(one.bank), "num"]], table.seats, "Nobody sits here.")),
    card("Moves", lines([["Ticket", (one) => one.number, "num"], ["Entrant", (one) => one.entrant], ["From", (one) => one.from], ["To", (one) => one.to], ["Stands", (one) => words(one.phase)], ["Units", (one) => units(one.stack), "num"]], moving, "Nobody comes or goes.")),
    h("p", { class: "muted" }, `Heard up to row ${table.row}; ${units(table.units)} units by its ledger.`));
});
