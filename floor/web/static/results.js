// What was staked and what the house won, by game, table, dealer or day.

import { card, get, h, lines, money, replace, sentence, shell } from "./shell.js";

const { main, sub } = await shell("results");
const BY = ["game", "table", "dealer", "day"];
const found = h("section", { class: "card" });
const keys = BY.map((by) => h("button", { type: "button", class: "small-key", "data-by": by, onclick: () => show(by) }, sentence(by)));

async function show(by) {
  const answer = await get(`/api/results?by=${by}`);
  if (answer.status === 401) return location.assign("/sign-in");
  if (!answer.ok) return replace(found, h("p", { class: "said" }, answer.error));
  sub.textContent = `by ${by}`;
  for (const key of keys) key.classList.toggle("main-key", key.dataset.by === by);
  const hours = (row) => Math.max((row.last - row.first) / 3_600_000, 1 / 60) * (by === "table" ? 1 : row.journals);
  replace(found, lines([
    [sentence(by), (row) => (by === "day" ? new Date(row.what).toLocaleDateString("en-AU", { timeZone: "UTC" }) : sentence(row.what) || "unknown")],
    ["Rounds", (row) => row.rounds, "num"],
    ["Rounds an hour and table", (row) => (by === "dealer" || by === "day" ? "" : Math.round(row.rounds / hours(row))), "num"],
    ["Staked", (row) => (row.what === "poker" ? "" : money(row.staked)), "num"],
    ["House won", (row) => (row.what === "poker" ? "" : money(row.win)), "num"],
    ["Hold", (row) => (row.staked && row.what !== "poker" ? `${((100 * row.win) / row.staked).toFixed(1)} %` : ""), "num"],
  ], answer.results, "No round has been played yet."));
}

main.append(card("Results", h("div", { class: "search" }, keys), h("p", { class: "muted" }, "Days are UTC. At poker players win from each other, so nothing is staked against the house; its rounds count under game only.")), found);
show("game");
