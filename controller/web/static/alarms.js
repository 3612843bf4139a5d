// What somebody must look at. While something else must be done, all of it is one line; a touch shows the rest.

import { h, replace, whenChanged } from "./dom.js";
import { clauses } from "./clauses.js";
import { floorWords, key, rankName } from "./parts.js";
import { tellSheet } from "./sheets.js";

const JOURNAL = { code: "journal", text: "The journal cannot be written.", suspends: true, clauses: [] };

export function alarmList(onClear, busyWith = () => false) {
  const node = h("div", { class: "stack alarms", "aria-live": "assertive" });
  const draw = whenChanged((alarms, broken, table, busy) => {
    const all = broken ? [{ ...JOURNAL, remedy: broken }, ...alarms] : alarms;
    const stops = busy ? [] : all.filter((alarm) => alarm.suspends);
    const rest = all.filter((alarm) => !stops.includes(alarm)).sort((a, b) => Boolean(b.suspends) - Boolean(a.suspends));
    const boxes = (some) => some.map((alarm) => alarmBox(alarm, table, onClear));
    replace(node, boxes(stops), busy && rest.length ? oneLine(rest, () => tellSheet("Alarms", h("div", { class: "stack" }, boxes(rest)))) : boxes(rest));
  });
  return { node, update: (state) => draw(state.alarms, state.life.broken, state.table, Boolean(state.prompts?.length || busyWith(state))) };
}

// Its first sentence, and of a long one its first part.
function brief(text) {
  const [sentence] = text.split(/\.(?: |$)/);
  return sentence.length > 70 ? sentence.split("; ")[0] : sentence;
}

function oneLine(alarms, onOpen) {
  const more = alarms.length > 1 ? ` and ${alarms.length - 1} more` : "";
  return h("button", { type: "button", class: `alarm brief ${alarms[0].suspends ? "suspends" : ""}`, "data-code": alarms[0].code, onclick: onOpen }, h("span", { class: "mark", "aria-hidden": "true" }, alarms[0].suspends ? "■" : "▲"), h("span", { class: "first" }, brief(alarms[0].text)), h("span", { class: "more" }, more || " ›"));
}

function alarmBox(alarm, table, onClear) {
  return h(
    "div",
    { class: `alarm ${alarm.suspends ? "suspends" : ""}`, "data-code": alarm.code },
    h("div", { class: "what" }, h("span", { class: "mark", "aria-hidden": "true" }, alarm.suspends ? "■" : "▲"), h("span", {}, alarm.text), alarm.count > 1 ? h("span", { class: "times" }, `${alarm.count}×`) : null),
    h("div", { class: "remedy" }, floorWords(alarm.remedy), " ", clauses(alarm.clauses)),
    onClear && alarm.rank ? key(alarm.suspends ? "Looked at and cleared" : "Seen to", rankName(table, alarm.rank), { onclick: () => onClear(alarm) }) : null,
  );
}
