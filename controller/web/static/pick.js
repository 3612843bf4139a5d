// One of many, as large keys.

import { h } from "./dom.js";
import { key } from "./parts.js";

export function pick(title, choices) {
  return new Promise((resolve) => {
    const close = (value) => {
      document.removeEventListener("keydown", onKey);
      back.remove();
      resolve(value);
    };
    const onKey = (event) => event.key === "Escape" && close(null);
    const keys = choices.map((choice) => key(choice.label, choice.note, { "data-pick": choice.id, onclick: () => close(choice.value) }));
    const wanted = h("input", { name: "find", autocomplete: "off", placeholder: "Find", "aria-label": "Find" });
    wanted.addEventListener("input", () => keys.forEach((each, place) => each.classList.toggle("hidden", !choices[place].label.toLowerCase().includes(wanted.value.trim().toLowerCase()))));
    const sheet = h(
      "div",
      { class: "sheet many", role: "dialog", "aria-modal": "true", "aria-label": title },
      h("div", { class: "row" }, h("h2", {}, title), wanted),
      h("div", { class: "choices", tabindex: "0", role: "group", "aria-label": title }, keys),
      h("div", { class: "actions" }, key("Back", "", { class: "back", onclick: () => close(null) })),
    );
    const back = h("div", { class: "sheet-back" }, sheet);
    back.addEventListener("pointerdown", (event) => event.target === back && close(null));
    document.addEventListener("keydown", onKey);
    document.body.append(back);
    keys[0]?.focus();
  });
}
