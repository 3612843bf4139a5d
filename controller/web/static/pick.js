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
    const sheet = h(
      "div",
      { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": title },
      h("h3", {}, title),
      h("div", { class: "choices" }, choices.map((choice) => key(choice.label, choice.note, { "data-pick": choice.id, onclick: () => close(choice.value) }))),
      h("div", { class: "actions" }, key("Back", "", { onclick: () => close(null) })),
    );
    const back = h("div", { class: "sheet-back" }, sheet);
    back.addEventListener("pointerdown", (event) => event.target === back && close(null));
    document.addEventListener("keydown", onKey);
    document.body.append(back);
    sheet.querySelector("button")?.focus();
  });
}
