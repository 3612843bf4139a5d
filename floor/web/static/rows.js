// Lines that several pages show: alarms with who took them, what the floor found, rounds with their wagers.

import { clauses, h, lines, money, sentence, tableLink, takeKey, when } from "./shell.js";

const SUPERVISOR = 2;
const MANAGER = 3;

function takenBy(row) {
  return h("span", {}, `${row.person}, ${when(row.taken_at)}`);
}

export function alarmRows(alarms, me, withTable = true) {
  return lines([
    withTable ? ["Table", tableLink] : null,
    ["Since", (row) => when(row.at)],
    ["Alarm", (row) => [h("b", {}, row.text), row.count > 1 ? ` (${row.count} times)` : "", " ", clauses(row.clauses) ?? "", h("div", { class: "muted" }, row.remedy)]],
    ["Taken by", (row) => (row.person ? takenBy(row) : me.person.rank >= SUPERVISOR ? takeKey("Take", "/api/take-alarm", { journal: row.journal, code: row.code, since: row.since }, null, true) : "nobody")],
  ].filter(Boolean), alarms.map((row) => ({ ...row, class: row.person ? "" : "wanted" })), "No alarm stands at any table.");
}

export function findingRows(findings, me) {
  return lines([
    ["Table", (row) => tableLink({ slug: row.slug })],
    ["Since", (row) => when(row.at)],
    ["Found", (row) => [h("b", {}, sentence(row.text)), row.count > 1 ? ` (${row.count} times)` : "", h("div", { class: "muted" }, sentence(row.remedy))]],
    ["Taken by", (row) => [row.person ? takenBy(row) : me.person.rank >= SUPERVISOR ? takeKey("Take", "/api/take-finding", { id: row.id }, null, true) : "nobody", " ", me.person.rank >= MANAGER && row.person ? takeKey("Close", "/api/take-finding", { id: row.id, over: true }) : ""]],
  ], findings.map((row) => ({ ...row, class: row.person ? "" : "urgent" })), "The floor has found nothing.");
}

export function roundRows(rounds, withTable = true) {
  return lines([
    withTable ? ["Table", tableLink] : null,
    ["Ended", (row) => when(row.ended)],
    ["Round", (row) => row.round || "", "num"],
    ["Outcome", (row) => [sentence(row.outcome), row.cards ? h("div", { class: "muted" }, row.cards) : ""]],
    ["Dealer", (row) => row.dealer, "hide-small"],
    ["Staked", (row) => money(row.staked), "num"],
    ["Taken", (row) => money(row.taken), "num"],
    ["Paid", (row) => money(row.paid), "num"],
    ["Wagers", (row) => (row.wagers.length ? h("details", {}, h("summary", {}, `${row.wagers.length}`), row.wagers.map((one) => h("div", {}, `${one.player} ${sentence(one.bet)}: ${one.result}, pays ${money(one.pays)}, takes ${money(one.taken)} `, clauses(one.clauses) ?? ""))) : "")],
  ].filter(Boolean), rounds, "No round fits.");
}
