// Pairs this screen with its place: the token comes with the address, or is typed in.

import { post } from "./channel.js";
import { h } from "./dom.js";
import { key, say } from "./parts.js";

const input = h("input", { name: "token", autocomplete: "off", "aria-label": "Token" });
const pair = async (token) => {
  const answer = await post("/api/pair", { token });
  if (answer.ok) location.replace(`/${answer.place}`);
  else say(answer.error, true);
};
document.body.append(
  h("main", {}, h("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); pair(input.value.trim()); } },
    h("h3", {}, "This screen is not paired"),
    h("p", { class: "muted" }, "On the controller, run “tablectl screens pair dealer” (or pit, or sign) and enter the token it prints."),
    h("label", {}, "Token", input),
    h("div", { class: "actions" }, key("Pair", "", { class: "main", type: "submit", onclick: () => pair(input.value.trim()) })))),
);
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", "/pair");
  pair(token);
}
