// Signing in: number and PIN, or in practice a name.

import { card, h, post, shell } from "./shell.js";

const { me, main } = await shell("sign-in");
const said = h("p", { class: "said", role: "alert" });
const staff = me.pin ? h("input", { name: "staff", autocomplete: "username", required: true, autofocus: true }) : h("select", { name: "staff" }, me.staff.map((one) => h("option", { value: one.id }, `${one.name}, ${one.ranked}`)));
const pin = h("input", { name: "pin", type: "password", inputmode: "numeric", autocomplete: "current-password" });
const form = h("form", { class: "search" }, h("label", {}, me.pin ? "Staff number" : "Who you are", staff), me.pin ? h("label", {}, "PIN", pin) : "", h("button", { class: "small-key main-key", "data-key": "sign-in" }, "Sign in"), said);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await post("/api/sign-in", { staff: staff.value, pin: pin.value });
  if (answer.ok) location.assign("/");
  else said.textContent = answer.error;
  pin.value = "";
});
main.append(card("Sign in to the floor", form, me.pin ? "" : h("p", { class: "muted" }, "Practice: the tables are simulated, and nobody needs a PIN.")));
