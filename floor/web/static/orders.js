// Orders for a table: a form made of what each kind asks for, and what became of those given before.

import { h, lines, money, post, replace, sentence, when } from "./shell.js";

const SUPERVISOR = 2;
const STATES = { done: "carried out", refused: "refused", heard: "no answer yet", unanswered: "never answered", waiting: "not sent yet", missed: "never arrived" };

const dollars = (text) => (/^\d+(\.\d{1,2})?$/.test(text.trim()) ? Math.round(100 * Number(text)) : NaN);

function field(ask) {
  const input = h("input", { name: ask.name, required: true, maxlength: 400, autocomplete: "off", inputmode: ask.kind === "money" ? "decimal" : "text" });
  return h("label", {}, ask.kind === "money" ? `${ask.label}, dollars` : ask.label, input);
}

export function orderForm(slug, kinds, me) {
  if (me.person.rank < SUPERVISOR) return null;
  const choice = h("select", { name: "kind", onchange: () => ask() }, kinds.map((one) => h("option", { value: one.kind }, one.label)));
  const fields = h("div", { class: "fields" });
  const send = h("button", { class: "small-key main-key", "data-key": "order" }, "Send the order");
  const said = h("p", { class: "said", role: "status" });
  const form = h("form", { class: "search" }, h("label", {}, "Order", choice), fields, send, said);
  const chosen = () => kinds.find((one) => one.kind === choice.value);
  const ask = () => { said.textContent = ""; replace(fields, ...chosen().asks.map(field)); };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const args = {};
    for (const one of chosen().asks) {
      const text = fields.querySelector(`[name="${one.name}"]`).value;
      args[one.name] = one.kind === "money" ? dollars(text) : text;
      if (Number.isNaN(args[one.name])) return void (said.textContent = `${one.label}: write an amount in dollars, such as 25 or 2.50.`);
    }
    send.disabled = true;
    const answer = await post("/api/order", { table: slug, kind: choice.value, args });
    send.disabled = false;
    if (answer.ok) ask();
    said.textContent = answer.ok ? "Signed and on its way; the table's answer stands below." : answer.error;
  });
  ask();
  return form;
}

const told = (args) => Object.entries(args).map(([name, value]) => (typeof value === "number" ? `${name} ${money(value)}` : String(value))).join(", ");

export function orderRows(orders) {
  return lines([
    ["Given", (row) => when(row.at)],
    ["Order", (row) => [h("b", {}, sentence(row.kind)), " ", told(row.args)]],
    ["By", (row) => `${row.by} (${row.rank})`],
    ["Answer", (row) => [h("b", {}, STATES[row.stands.state] ?? row.stands.state), h("div", { class: "muted" }, row.stands.text)]],
  ], orders.map((row) => ({ ...row, class: ["refused", "missed", "unanswered"].includes(row.stands.state) ? "wanted" : "" })));
}
