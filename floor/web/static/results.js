// What was dropped, staked, won and due, by game, table, dealer or day; how evenly wheels land; exports.

import { card, get, h, lines, money, replace, sentence, shell, when } from "./shell.js";

const { main, sub } = await shell("results");
const BY = ["game", "table", "dealer", "day"];
const DAY = 86_400_000;
const SPANS = [["", "Always"], [1, "Last day"], [7, "Last week"], [28, "Last four weeks"]];
const found = h("section", { class: "card" });
const wheels = h("section", { class: "card" });
const taken = h("p", { class: "links" });
const keys = BY.map((by) => h("button", { type: "button", class: "small-key", "data-by": by, onclick: () => show(by) }, sentence(by)));
const span = h("select", { name: "span", "aria-label": "Time", onchange: () => show(shown) }, SPANS.map(([days, label]) => h("option", { value: days }, label)));
let shown = "game";

const poker = (row) => row.what === "poker";
const part = (share) => (share === null ? "" : `${(100 * share).toFixed(1)} %`);
const counted = (count, cents) => (count ? [`${count}`, h("div", { class: "muted" }, money(cents))] : "");

async function show(by) {
  shown = by;
  const since = span.value ? Date.now() - Number(span.value) * DAY : 0;
  const [answer, landed] = await Promise.all([get(`/api/results?by=${by}&since=${since}`), get(`/api/fairness?since=${since}`)]);
  if (answer.status === 401) return location.assign("/sign-in");
  if (!answer.ok) return replace(found, h("p", { class: "said" }, answer.error));
  sub.textContent = `by ${by}`;
  for (const key of keys) key.classList.toggle("main-key", key.dataset.by === by);
  replace(found, lines([
    [sentence(by), (row) => (by === "day" ? new Date(row.what).toLocaleDateString("en-AU", { timeZone: "UTC" }) : sentence(row.what) || "unknown")],
    ["Rounds", (row) => row.rounds, "num"],
    ["An hour", (row) => (row.an_hour === null ? "" : Math.round(row.an_hour)), "num"],
    ["Drop", (row) => (row.drop ? money(row.drop) : ""), "num"],
    ["Staked", (row) => (poker(row) ? "" : money(row.staked)), "num"],
    ["House won", (row) => money(row.win), "num"],
    ["Hold", (row) => part(row.hold), "num"],
    ["Of stakes", (row) => (row.staked && !poker(row) ? part(row.win / row.staked) : ""), "num"],
    ["By the edges", (row) => (poker(row) ? "" : money(row.theoretical)), "num"],
    ["Late bets", (row) => counted(row.late, row.late_cents), "num"],
    ["Paid wrongly", (row) => counted(row.mispaid, row.mispaid_cents), "num"],
  ], answer.results, "No round has been played in this time."));
  replace(wheels, h("h2", {}, "Wheels"), landed.wheels?.length ? landed.wheels.map(wheel) : h("p", { class: "empty" }, "No wheel has come to rest in this time."));
  replace(taken, "Take along: ", ["rounds", "wagers", "rulings", "alarms", "findings", "floats", "tables"].flatMap((what) => ["csv", "parquet"].map((form) => [h("a", { href: `/api/export/${what}?form=${form}&since=${since}`, download: "" }, `${sentence(what)} (${form})`), " · "])), h("a", { href: `/api/export/hands?since=${since}`, download: "" }, "Poker hands (PHH)"));
}

function wheel(one) {
  const most = Math.max(...one.counts, 1);
  const bars = one.counts.map((count, place) => h("span", { class: "bar", title: `Compartment ${place + 1}: ${count}, ${one.due} due` }));
  bars.forEach((bar, place) => { bar.style.blockSize = `${Math.round((100 * one.counts[place]) / most)}%`; });
  return h("div", { class: one.uneven ? "landed urgent" : "landed" }, h("h3", {}, h("a", { href: `/table/${encodeURIComponent(one.slug)}` }, one.name), h("span", { class: "muted" }, ` ${one.spins} spins, ${when(one.first)} to ${when(one.last)}`)), h("div", { class: "bars", role: "img", "aria-label": `Landings by compartment of ${one.name}` }, bars), h("p", { class: "muted" }, one.text));
}

main.append(card("Results", h("div", { class: "search" }, keys, span), h("p", { class: "muted" }, "Days are gaming days of the house. Hold is what the house won of the drop (cash for chips at the table); by the edges is what the same wagers bring in the long run. At poker players win from each other: the house won its commission, and its rounds count under game only.")), found, wheels, card("Exports", taken));
show("game");
