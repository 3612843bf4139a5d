// Rounds that were played, by table, number, time, dealer, player, amount and clause.

import { card, get, h, replace, shell } from "./shell.js";
import { roundRows } from "./rows.js";

const { main, sub } = await shell("rounds");
const FIELDS = [["table", "Table", "text"], ["round", "Round", "number"], ["since", "From", "datetime-local"], ["until", "To", "datetime-local"], ["dealer", "Dealer", "text"], ["player", "Player", "text"], ["outcome", "Outcome", "text"], ["clause", "Clause", "text"], ["staked", "Staked at least $", "number"], ["paid", "Paid at least $", "number"]];
const inputs = Object.fromEntries(FIELDS.map(([name, , type]) => [name, h("input", { name, type, min: type === "number" ? 0 : null, step: name === "round" ? 1 : type === "number" ? "0.01" : null })]));
const found = h("section", { class: "card" });
const form = h("form", { class: "search" }, FIELDS.map(([name, label]) => h("label", {}, label, inputs[name])), h("button", { class: "small-key main-key", "data-key": "search" }, "Search"));

function asked() {
  const query = new URLSearchParams();
  for (const [name, , type] of FIELDS) {
    const value = inputs[name].value.trim();
    if (!value) continue;
    if (name === "table" || name === "round") query.set(name, value);
    else query.set(name, type === "number" ? Math.round(100 * Number(value)) : type === "datetime-local" ? new Date(value).getTime() : value);
  }
  return query;
}

async function search(event) {
  event?.preventDefault();
  const answer = await get(`/api/rounds?${asked()}`);
  if (answer.status === 401) return location.assign("/sign-in");
  if (!answer.ok) return replace(found, h("p", { class: "said" }, answer.error));
  sub.textContent = answer.rounds.length < answer.most ? `${answer.rounds.length} rounds` : `the newest ${answer.most} rounds that fit`;
  replace(found, roundRows(answer.rounds));
}

form.addEventListener("submit", search);
main.append(card("Look for", form), found);
search();
