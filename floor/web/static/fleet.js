// Every table's machine on one page: those that need a person first, and how far each roll-out came.

import { every, h, lines, replace, sentence, shell, when } from "./shell.js";

const { main, sub } = await shell("fleet");
const plans = h("section", { class: "card" });
const machines = h("section", { class: "card" });
main.append(plans, machines);

const RUNNING = { running: "is under way", halted: "was stopped", over: "is over" };
const ago = (ms) => (ms === null || ms === undefined ? "unknown" : `${ms} ms`);
const word = (one) => h("div", { class: one.state === "refused" ? "said" : "muted" }, `${sentence(one.kind)} ${one.name}: ${one.state}${one.text ? `, ${one.text}` : ""}`);

every(2, () => "/api/fleet", (answer) => {
  if (answer.error) return replace(machines, h("p", { class: "said" }, answer.error));
  const on = answer.machines.filter((one) => one.here).length;
  sub.textContent = answer.trouble ? `Nothing is heard: ${answer.trouble}` : `${on} of ${answer.machines.length} machines are on`;
  replace(plans, h("h2", {}, "Roll-outs"), answer.plans.length ? answer.plans.map(plan) : h("p", { class: "empty" }, "Nothing was rolled out yet: tablectl fleet roll-out"));
  replace(machines, h("h2", {}, "Machines"), lines([
    ["Table", (row) => [h("a", { href: `/table/${encodeURIComponent(row.table)}` }, row.table), row.here ? "" : h("div", { class: "muted" }, `off since ${when(row.heard)}`)]],
    ["Version", (row) => [row.program || "unknown", row.before ? h("div", { class: "muted" }, `before: ${row.before}`) : ""]],
    ["Rulebook", (row) => [row.rulebook, row.editions.map((one) => h("div", { class: "muted" }, `edition ${one}`))]],
    ["File", (row) => row.configuration],
    ["Clock off by", (row) => ago(row.clock_ms), "num"],
    ["Free", (row) => `${row.free_mb} MB`, "num"],
    ["Card worn", (row) => (row.worn === null ? "unknown" : `${row.worn} %`), "num"],
    ["State", (row) => [row.running ? "" : h("div", {}, "the table does not run"), row.worst ? h("div", { class: "said" }, row.worst) : "", row.doing.filter((one) => one.state !== "done").map(word)]],
  ], answer.machines.map((row) => ({ ...row, class: row.order < 1 ? "urgent" : "" })), "No machine has said anything yet."));
});

function plan(one) {
  const versions = [...new Set(Object.values(one.wanted))].join(", ");
  return h("div", { class: one.state === "halted" ? "urgent" : "" },
    h("h3", {}, `${sentence(one.kind)} ${versions} ${RUNNING[one.state]}`),
    h("p", {}, one.text),
    h("p", { class: "muted" }, `Roll-out ${one.id}, begun ${when(one.at)} by ${one.by.join(" and ")}: ${one.why}`));
}
