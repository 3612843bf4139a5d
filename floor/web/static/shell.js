// What the floor's pages share: the bar at the top, asking, tables of lines, and the channel of the glance.

import { get, post } from "/static/channel.js";
import { h, money, replace, sentence, timeOf } from "/static/dom.js";
import { chips as clauses } from "/static/clauses.js";
import { lifeBadge, lostBar } from "/static/parts.js";

export { clauses, get, h, lifeBadge, money, post, replace, sentence, timeOf };

const PLACES = [["/", "Tables", "tables"], ["/alarms", "Alarms", "alarms"], ["/rounds", "Rounds", "rounds"], ["/results", "Results", "results"]];
const SILENCE_MS = 3500;

export async function shell(page) {
  const me = await get("/api/me");
  const name = h("h1", { class: "name" }, me.floor ?? "Floor");
  const sub = h("div", { class: "sub" });
  const places = [...PLACES, ...(me.hall ? [["/hall", "Tournament", "hall"]] : []), ...(me.fleet ? [["/fleet", "Machines", "fleet"]] : [])];
  const nav = h("nav", { "aria-label": "Pages" }, me.person ? places.map(([path, label, key]) => h("a", { href: path, "aria-current": key === page ? "page" : null }, label)) : []);
  const who = me.person ? h("button", { type: "button", class: "who", "data-key": "sign-out", onclick: signOut }, h("b", {}, me.person.name), h("span", { class: "muted" }, `${me.person.ranked} · sign out`)) : null;
  const main = h("main", {});
  document.body.append(h("header", { class: "head" }, h("div", { class: "grow" }, name, sub), nav, who ?? ""), lostBar(), main);
  document.title = `${sentence(page)} · ${me.floor ?? "Floor"}`;
  return { me, main, sub };
}

async function signOut() {
  await post("/api/sign-out", {});
  location.assign("/sign-in");
}

// Asks again and again; a page that is not answered says so, and one that is not signed in any more leaves.
export async function every(seconds, path, draw) {
  const answer = await get(path());
  if (answer.status === 401) return location.assign("/sign-in");
  document.body.classList.toggle("lost", answer.status === 0);
  if (answer.ok) draw(answer);
  else if (answer.status) draw({ error: answer.error });
  setTimeout(() => every(seconds, path, draw), seconds * 1000);
}

export function listen(onTables) {
  let source, heard = performance.now();
  const hear = () => { heard = performance.now(); document.body.classList.remove("lost"); };
  const open = () => {
    source?.close();
    source = new EventSource("/api/live");
    source.addEventListener("tables", (message) => { hear(); onTables(JSON.parse(message.data)); });
    source.addEventListener("beat", (message) => { hear(); onTables({ trouble: JSON.parse(message.data) }); });
    source.addEventListener("error", async () => {
      document.body.classList.add("lost");
      if ((await get("/api/me")).person === null) location.assign("/sign-in");
    });
  };
  open();
  setInterval(() => {
    if (performance.now() - heard < SILENCE_MS) return;
    document.body.classList.add("lost");
    heard = performance.now();
    open();
  }, 500);
}

export function lines(columns, rows, empty = "Nothing.") {
  if (!rows.length) return h("p", { class: "empty" }, empty);
  return h("div", { class: "scroll" }, h("table", { class: "lines-of" },
    h("thead", {}, h("tr", {}, columns.map(([label, , kind]) => h("th", { class: kind ?? "" }, label)))),
    h("tbody", {}, rows.map((row) => h("tr", { class: row.class ?? "" }, columns.map(([, cell, kind]) => h("td", { class: kind ?? "" }, cell(row))))))));
}

export const card = (title, ...inside) => h("section", { class: "card" }, h("h2", {}, title), ...inside);
export const when = (ms) => (ms ? `${new Date(ms).toLocaleDateString("en-AU", { day: "2-digit", month: "short" })} ${timeOf(ms)}` : "");
export const tableLink = (row) => h("a", { href: `/table/${encodeURIComponent(row.slug)}` }, row.name || row.slug);
export const hold = (row) => (row.handle ? `${((100 * row.win) / row.handle).toFixed(1)} %` : "");

export function takeKey(label, path, body, after, main = false) {
  const node = h("button", { type: "button", class: `small-key${main ? " main-key" : ""}`, onclick: async () => {
    node.disabled = true;
    const answer = await post(path, body);
    if (!answer.ok) alertLine(node, answer.error);
    node.disabled = false;
    after?.(answer);
  } }, label);
  return node;
}

function alertLine(node, text) {
  node.parentElement?.querySelector(".said")?.remove();
  node.after(h("p", { class: "said", role: "alert" }, text));
}
