// Letters and digits on the glass, where a screen has no keyboard: they rise with the field that is touched.

import { h } from "./dom.js";

const LETTERS = ["1234567890", "qwertyuiop", "asdfghjkl'", "zxcvbnm,.-"];
const NUMBERS = ["123", "456", "789", ".0,"];

// Only where a finger is all there is, and only for sheets whose fields have no keys of their own.
export function withKeyboard(sheet) {
  const fields = [...sheet.querySelectorAll("input:not([type=checkbox], [type=range], [type=password], [type=file])")];
  if (!fields.length || sheet.classList.contains("with-keypad") || !matchMedia("(pointer: coarse)").matches) return;
  const keys = h("div", { class: "keyboard hidden", role: "group", "aria-label": "Keyboard" });
  let field = null;
  let upper = true;
  const put = (text) => {
    const [from, to] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
    if (text.length && field.value.length - (to - from) + text.length > (field.maxLength > 0 ? field.maxLength : 200)) return;
    field.setRangeText(text, from, to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const erase = () => {
    const at = field.selectionStart ?? field.value.length;
    if (at === field.selectionEnd && at) field.setSelectionRange(at - 1, at);
    put("");
  };
  // Only on “Done”, never because another key is touched: what lies under that finger must not move.
  const lower = () => {
    field.blur();
    sheet.classList.remove("typing");
    keys.classList.add("hidden");
  };
  const cap = (label, press, kind = "", name = label) => h("button", { type: "button", class: `cap ${kind}`, "data-cap": name, "aria-label": name, onpointerdown: (event) => { event.preventDefault(); press(); } }, label);
  const draw = () => {
    const digits = ["decimal", "numeric"].includes(field.dataset.writes);
    keys.classList.toggle("digits", digits);
    const rows = (digits ? NUMBERS : LETTERS).map((row) => h("div", { class: "caps" }, [...row].map((one) => cap(upper && !digits ? one.toUpperCase() : one, () => { put(upper && !digits ? one.toUpperCase() : one); if (upper) { upper = false; draw(); } }, "", one))));
    const last = h("div", { class: "caps" }, digits ? null : cap("⇧", () => { upper = !upper; draw(); }, "", "Shift"), digits ? null : cap("Space", () => put(" "), "wide", "Space"), cap("⌫", erase, "", "Delete"), cap("Done", lower, "", "Done"));
    keys.replaceChildren(...rows, last);
  };
  for (const each of fields) {
    each.dataset.writes = each.inputMode;
    each.inputMode = "none"; // else a tablet brings its own besides
    each.addEventListener("focus", () => {
      field = each;
      upper = !each.value;
      draw();
      sheet.classList.add("typing");
      keys.classList.remove("hidden");
      sheet.style.setProperty("--keyboard", `${keys.offsetHeight}px`);
      each.scrollIntoView({ block: "start" });
    });
  }
  sheet.append(keys);
}
