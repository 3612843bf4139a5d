// A tournament at this table: what its sign says, and banks, markers and presence for the staff.

import { h, replace, sentence, timeOf, whenChanged } from "./dom.js";

const units = (number) => number.toLocaleString("en-AU");
const hour = (at) => new Date(at).toLocaleTimeString("en-AU", { hour: "2-digit", minute: "2-digit", hour12: false });

// Its name, the session, what must be staked, and every rise with its round and time.
export function eventWords(event) {
  if (!event) return [];
  const list = [`Tournament ${event.name}: ${event.words}`];
  if (event.session) list.push([sentence(event.session), event.rounds ? `${event.rounds} rounds` : "", event.level ? `level ${event.level}` : "", event.compulsory ? `compulsory wager ${units(event.compulsory)}` : ""].filter(Boolean).join(", "));
  for (const rise of event.coming ?? []) list.push(rise.small ? `Level ${rise.from}: ${units(rise.small)}/${units(rise.units)} from ${hour(rise.not_before)}` : `${units(rise.units)} from round ${rise.from}, not before ${hour(rise.not_before)}`);
  return list;
}

export function eventPanel() {
  const facts = h("dl", { class: "facts" });
  const banks = h("table", {});
  const node = h("section", { class: "card", hidden: true, "data-part": "tournament" }, h("h2", {}, "Tournament"), facts, banks);
  const draw = whenChanged((event) => {
    node.hidden = !event?.tournament;
    if (node.hidden) return;
    const rows = [
      ["Event", event.tournament],
      ["State", sentence(event.state)],
      event.session ? ["Session", `${event.session}, ${event.scored}${event.rounds ? ` of ${event.rounds}` : ""} rounds`] : null,
      event.compulsory ? ["Compulsory wager", units(event.compulsory)] : null,
      event.director ? ["Director", event.present_until ? `${event.director}, present until ${timeOf(event.present_until)}` : `${event.director}, not present`] : null,
    ].filter(Boolean);
    replace(facts, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    const held = (one) => Object.entries(one.markers).filter(([, left]) => left).map(([kind, left]) => `${sentence(kind)} ${left}`).join(", ");
    replace(
      banks,
      h("thead", {}, h("tr", {}, ["Seat", "Entrant", "Bank", "Counted", "Markers", ""].map((name) => h("th", {}, name)))),
      h("tbody", {}, event.entrants.map((one) => h("tr", {}, h("td", {}, String(one.seat)), h("td", {}, one.entrant), h("td", { class: "r" }, units(one.bank)), h("td", { class: "r" }, one.counted === null ? "–" : units(one.counted)), h("td", {}, held(one)), h("td", {}, [one.standing === "playing" ? "" : one.standing, one.away ? "away" : "", one.laid].filter(Boolean).join(", "))))),
    );
  });
  return { node, update: (state) => draw(state.game?.tournament ?? null) };
}
