// The big clock: level, time left, next levels with their times, entrants left, average and leader.

import { clockOf, h, hall, minutes, replace, units, words } from "./hall-parts.js";

hall("clock", (body, { event, clock, field, phase, tables }) => {
  if (!event) return replace(body, h("p", { class: "empty" }, "No event yet."));
  const scored = Math.max(0, ...tables.map((table) => table.scored));
  const levels = clock.level || clock.is_break;
  const face = levels
    ? [h("div", { class: "level" }, clock.is_break ? "Break" : `Level ${clock.level}`), h("div", { class: clock.stands ? "big stands" : "big" }, minutes(clock.left_ms)), h("div", { class: "blinds" }, clock.is_break ? "" : `${units(clock.small)} / ${units(clock.big)}`)]
    : [h("div", { class: "level" }, words(event.session || phase)), h("div", { class: "big" }, event.rounds ? `${scored} of ${event.rounds}` : clockOf(Date.parse(event.starts))), h("div", { class: "blinds" }, event.rounds ? "rounds played" : "starts")];
  const coming = levels
    ? clock.coming.map((one) => h("li", {}, h("b", {}, clockOf(one.at)), ` ${one.level ? `level ${one.level}: ${units(one.small)} / ${units(one.big)}` : "break"}`))
    : clock.compulsory.map((one) => h("li", {}, h("b", {}, `From round ${one.from}`), ` ${units(one.units)} compulsory${one.not_before ? `, not before ${one.not_before}` : ""}`));
  replace(body,
    h("h1", {}, event.title), clock.stands ? h("p", { class: "stopped" }, "The clock stands") : "", h("div", { class: "face" }, face),
    h("div", { class: "sides" },
      h("section", {}, h("h2", {}, "Next"), h("ul", {}, coming.length ? coming : h("li", {}, "Nothing further"))),
      h("section", {}, h("h2", {}, "Field"), h("ul", {}, h("li", {}, h("b", {}, `${field.left}`), ` of ${field.entered} left`), h("li", {}, "average ", h("b", {}, units(field.average))), h("li", {}, field.leader ? ["leader ", h("b", {}, field.leader), ` with ${units(field.leads_with)}`] : "nobody plays yet")))),
    h("p", { class: "muted only" }, "These tables are used for this tournament only; no other play."));
});
