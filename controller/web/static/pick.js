// One of many, as large keys, those about one thing together.

import { h } from "./dom.js";
import { withKeyboard } from "./keyboard.js";
import { key } from "./parts.js";
import { translated } from "./translate.js";

export function pick(title, choices) {
  return new Promise((resolve) => {
    const close = (value) => {
      document.removeEventListener("keydown", onKey);
      back.remove();
      resolve(value);
    };
    const onKey = (event) => event.key === "Escape" && close(null);
    const keys = choices.map((choice) => key(choice.label, choice.note, { "data-pick": choice.id, onclick: () => close(choice.value) }));
    const groups = [...Map.groupBy(choices.keys(), (place) => choices[place].about ?? "")].map(([about, places]) => ({ places, node: h("section", { class: "group", "aria-label": about || title }, about ? h("h3", {}, about) : null, h("div", { class: "choices" }, places.map((place) => keys[place]))) }));
    const wanted = h("input", { name: "find", autocomplete: "off", placeholder: "Find", "aria-label": "Find" });
    const fits = ({ label, about = "" }) => `${label} ${about} ${translated(label)} ${translated(about)}`.toLowerCase().includes(wanted.value.trim().toLowerCase());
    wanted.addEventListener("input", () => {
      keys.forEach((each, place) => each.classList.toggle("hidden", !fits(choices[place])));
      for (const { places, node } of groups) node.classList.toggle("hidden", !places.some((place) => fits(choices[place])));
    });
    const sheet = h(
      "div",
      { class: "sheet many", role: "dialog", "aria-modal": "true", "aria-label": title },
      h("div", { class: "row" }, h("h2", {}, title), wanted),
      h("div", { class: "groups", tabindex: "0", role: "group", "aria-label": title }, groups.map(({ node }) => node)),
      h("div", { class: "actions" }, key("Back", "", { class: "back", onclick: () => close(null) })),
    );
    const back = h("div", { class: "sheet-back" }, sheet);
    back.addEventListener("pointerdown", (event) => event.target === back && close(null));
    document.addEventListener("keydown", onKey);
    document.body.append(back);
    withKeyboard(sheet);
    keys[0]?.focus();
  });
}
