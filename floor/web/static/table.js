// One table: what stands open there, its devices and people, its last rounds, and how far it is proved.

import { card, clauses, every, h, hold, lifeBadge, lines, money, replace, sentence, shell, when } from "./shell.js";
import { alarmRows, findingRows, roundRows } from "./rows.js";
import { orderForm, orderRows } from "./orders.js";

const { me, main, sub } = await shell("table");
const slug = decodeURIComponent(location.pathname.split("/")[2]);
let drawn = "";
let form;
const live = h("div", { class: "stack" });
main.append(live);

function facts(rows) {
  return h("dl", { class: "facts" }, rows.filter(Boolean).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

// What the pit sees of the round under way; the page looks again every second.
function pit(now) {
  return h("div", { class: "stack", "data-pit": "" },
    facts([["On the layout", now.layout.length ? now.layout.map((one) => h("div", {}, `${sentence(one.area)}: ${money(one.cents)}`)) : "nothing yet"], now.cards.length ? ["Cards", now.cards.map((one) => `${one.card}${one.to ? ` (${one.to})` : ""}`).join(", ")] : null]),
    lines([["When", (row) => when(row.at)], ["What", (row) => sentence(row.what)], ["Said or decided", (row) => [row.text, " ", clauses(row.clauses) ?? ""]]], now.lines, "Nothing was said yet."));
}

function draw(answer) {
  if (answer.error) return replace(live, h("p", { class: "said" }, answer.error));
  const { face } = answer;
  sub.textContent = `${face.name} · ${face.rulebook}`;
  document.title = `${face.name} · ${me.floor}`;
  const now = JSON.stringify({ ...answer, face: { ...face, heard: 0, last_at: 0 } });
  if (now === drawn) return;
  drawn = now;
  const proved = face.key === "known" ? `up to event ${face.witnessed} of ${face.size}` : { unknown: "no: the floor does not know its key", unsigned: "no: its heads are not signed", wrong: "no: signed by another key" }[face.key] ?? "nothing yet";
  if (!form && (form = orderForm(slug, answer.orderable, me))) main.append(card("Order something of this table", form));
  replace(live,
    face.broken ? h("div", { class: "alarm suspends" }, h("div", { class: "what" }, "Its journal broke; later messages are kept aside."), h("div", { class: "remedy" }, face.broken)) : "",
    answer.findings.length ? card("Found by the floor", findingRows(answer.findings, me)) : "",
    answer.questions.length ? card("Decisions waiting", lines([["Since", (row) => when(row.at)], ["Question", (row) => [h("b", {}, row.text), " ", clauses(row.clauses) ?? ""]], ["Proposed", (row) => sentence(row.proposal)], ["Least rank", (row) => row.rank, "num"]], answer.questions)) : "",
    answer.alarms.length ? card("Alarms", alarmRows(answer.alarms, me, false)) : "",
    answer.now ? card(`Round ${face.round}, as the pit sees it, since ${when(answer.now.since)}`, pit(answer.now)) : "",
    h("div", { class: "two" },
      card("Table", facts([["State", [lifeBadge({ life: face.life }), " ", sentence(face.state)]], ["Round", face.round], ["Limits", `${money(face.min)} to ${money(face.max)}`], ["Rounds heard", face.rounds], face.game === "poker" ? null : ["Staked", money(face.handle)], face.game === "poker" ? null : ["House won", `${money(face.win)} (${hold(face) || "–"})`], ["Program", face.version]])),
      card("People", lines([["Place", (row) => sentence(row.place)], ["Who", (row) => row.person], ["Rank", (row) => row.rank, "num"], ["Since", (row) => when(row.at)]], answer.staff, "Nobody has signed in.")),
      card("Devices", lines([["Place", (row) => row.place], ["State", (row) => [row.state, row.text ? h("div", { class: "muted" }, row.text) : ""]], ["Serial", (row) => row.serial], ["Lost", (row) => row.losses, "num"]], answer.devices)),
      card("Proof", facts([["Journal", h("code", { class: "head-root" }, face.origin)], ["Events", face.size], ["Countersigned", proved], answer.earlier.length ? ["Journals before", answer.earlier.map((one) => h("div", {}, `${one.origin}: ${one.size} events`))] : null]), face.note ? h("details", {}, h("summary", {}, "The head that both keep"), h("pre", { class: "note" }, face.note)) : "")),
    answer.orders.length ? card("Orders", orderRows(answer.orders)) : "",
    card("Last rounds", roundRows(answer.rounds, false)),
    answer.rulings.length ? card("Rulings", lines([["When", (row) => when(row.at)], ["What", (row) => [sentence(row.subject), ": ", sentence(row.answer), row.reason ? h("div", { class: "muted" }, row.reason) : ""]], ["By", (row) => `${row.by} (rank ${row.rank})`], ["Clauses", (row) => clauses(row.clauses) ?? ""]], answer.rulings)) : "",
    answer.floats.length ? card("Float", lines([["When", (row) => when(row.at)], ["What", (row) => sentence(row.what)], ["Amount", (row) => money(row.cents), "num"], ["By", (row) => row.by]], answer.floats)) : "");
}

every(1, () => `/api/table/${encodeURIComponent(slug)}`, draw);
