// Everything on the floor that a person should look at, and who does.

import { card, clauses, every, h, lines, replace, sentence, shell, tableLink, when } from "./shell.js";
import { alarmRows, findingRows } from "./rows.js";

const { me, main, sub } = await shell("alarms");
let drawn = "";

every(1, () => "/api/alarms", (answer) => {
  if (answer.error) return replace(main, h("p", { class: "said" }, answer.error));
  const now = JSON.stringify(answer);
  if (now === drawn) return;
  drawn = now;
  sub.textContent = `${answer.findings.length + answer.alarms.length} alarms · ${answer.questions.length} decisions waiting`;
  replace(main,
    card("Found by the floor", findingRows(answer.findings, me)),
    card("Decisions waiting at tables", lines([["Table", tableLink], ["Since", (row) => when(row.at)], ["Question", (row) => [h("b", {}, row.text), " ", clauses(row.clauses) ?? ""]], ["Proposed", (row) => sentence(row.proposal)], ["Least rank", (row) => row.rank, "num"]], answer.questions, "No table waits for a decision.")),
    card("Alarms at tables", alarmRows(answer.alarms, me)));
});
