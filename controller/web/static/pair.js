// Pairs this screen with its place: the token comes with the address, or is typed in.

import { post } from "./channel.js";
import { h } from "./dom.js";
import { key, say } from "./parts.js";

const input = h("input", { name: "token", autocomplete: "off", autocapitalize: "none", spellcheck: "false", "aria-label": "Token" });
const pair = async (token) => {
  const answer = await post("/api/pair", { token });
  if (answer.ok) location.replace(`/${answer.place}`);
  else say(answer.error, true);
};
document.body.append(
  h("main", {}, h("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); pair(input.value.trim()); } },
    h("h1", {}, "This screen is not paired"),
    h("p", {}, "Run this on the controller, with the place of this screen (dealer, pit or sign), and open the address it prints here; or type the part of it after the #."),
    h("p", {}, h("code", {}, "tablectl screens pair --config table.toml dealer")),
    h("label", {}, "Token", input),
    h("div", { class: "actions" }, key("Pair", "", { class: "main", type: "submit" })))),
);
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", "/pair");
  pair(token);
}
