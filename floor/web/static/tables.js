// All tables at a glance; the one that needs a person most stands first.

import { h, hold, lifeBadge, lines, listen, money, replace, sentence, shell, tableLink, timeOf } from "./shell.js";

const { main, sub } = await shell("tables");
const known = new Map();
const list = h("section", { class: "card" });
const trouble = h("div", { class: "alarm suspends", hidden: true, role: "alert" });
main.append(trouble, list);
let order = [];

const COLUMNS = [
  ["Table", (row) => [tableLink(row), h("div", { class: "muted" }, row.rulebook), row.behind ? h("div", { class: "need" }, `${row.behind} events to come`) : ""]],
  ["Needs a person", (row) => h("div", { class: "needs" }, row.why.map((why) => h("span", { class: `need${/floor|suspended/.test(why) ? " bad" : ""}` }, why)))],
  ["State", (row) => [lifeBadge({ life: row.life }), h("div", { class: "muted" }, sentence(row.state))]],
  ["Round", (row) => row.round || "", "num"],
  ["Deals", (row) => row.staff.join(", "), "hide-small"],
  ["Rounds", (row) => row.rounds, "num hide-small"],
  ["Staked", (row) => (row.game === "poker" ? "" : money(row.handle)), "num hide-small"],
  ["Of stakes", (row) => (row.game === "poker" ? "" : hold(row)), "num"],
  ["Countersigned", (row) => `${row.witnessed} of ${row.size}`, "num hide-small"],
  ["Last event", (row) => timeOf(row.last_at), "num hide-small"],
];

function draw() {
  const rows = order.map((slug) => known.get(slug)).filter(Boolean).map((row) => ({ ...row, class: row.findings || row.suspended ? "urgent" : row.need ? "wanted" : "" }));
  const needing = rows.filter((row) => row.need).length;
  sub.textContent = `${rows.length} tables · ${needing === 1 ? "one needs a person" : needing ? `${needing} need a person` : "none needs a person"}`;
  replace(list, lines(COLUMNS, rows, "No table has been heard of yet."));
}

listen((frame) => {
  trouble.hidden = !frame.trouble;
  trouble.textContent = frame.trouble ? `The floor hears nothing: ${frame.trouble}` : "";
  if (!frame.order) return;
  order = frame.order;
  for (const line of frame.lines) known.set(line.slug, line);
  draw();
});
