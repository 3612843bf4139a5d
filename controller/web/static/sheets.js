// Sheets that slide over the page to ask for something: who, why, how much.

import { h, words } from "./dom.js";
import { withKeyboard } from "./keyboard.js";
import { floorWords, key } from "./parts.js";

let shut = null; // the sheet that is open, if one is

// A sheet that events have overtaken goes away as if it had been cancelled.
export function closeSheet() {
  shut?.(null);
}

function open(title, build, first = "input, select, button") {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const close = (value) => {
      document.removeEventListener("keydown", onKey);
      back.remove();
      before?.focus?.();
      if (shut === close) shut = null;
      resolve(value);
    };
    shut = close;
    const sheet = h("form", { class: "sheet", novalidate: true });
    sheet.addEventListener("submit", (event) => event.preventDefault());
    const back = h("div", { class: "sheet-back", role: "dialog", "aria-modal": "true", "aria-label": title }, sheet);
    back.addEventListener("pointerdown", (event) => event.target === back && close(null));
    const onKey = (event) => {
      if (event.key === "Escape") close(null);
      if (event.key === "Tab") keepInside(sheet, event);
    };
    sheet.append(h("h2", {}, title));
    build(sheet, close);
    document.addEventListener("keydown", onKey);
    document.body.append(back);
    withKeyboard(sheet);
    sheet.querySelector(first)?.focus();
  });
}

function keepInside(sheet, event) {
  const stops = [...sheet.querySelectorAll("button, input, select")].filter((node) => !node.disabled);
  const first = stops[0];
  const last = stops[stops.length - 1];
  if (event.shiftKey && document.activeElement === first) {
    event.preventDefault();
    last.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first.focus();
  }
}

function actions(close, label, value) {
  return h(
    "div",
    { class: "actions" },
    key("Cancel", "", { onclick: () => close(null) }),
    key(label, "", { class: "main go", onclick: () => value() !== undefined && close(value()) }),
  );
}

// Who answers for this: a list where names are enough, staff number and PIN where they are not.
export function askWho(title, me, rankOf, least = 0) {
  return open(title, (sheet, close) => {
    if (!me.pin) {
      const able = me.staff.filter((person) => person.rank >= least);
      sheet.append(
        h("div", { class: "choices" }, able.map((person) => key(person.name, rankOf(person.rank), { "data-staff": person.id, onclick: () => close({ staff: person.id, pin: "" }) }))),
        h("div", { class: "actions" }, key("Cancel", "", { onclick: () => close(null) })),
      );
      return;
    }
    const staff = h("input", { name: "staff", autocomplete: "off", autocapitalize: "characters", "aria-label": "Staff number" });
    const pin = pinField();
    const value = () => (staff.value && pin.value ? { staff: staff.value, pin: pin.value } : undefined);
    sheet.classList.add("with-keypad");
    sheet.append(
      h("div", { class: "fields" }, me.reader ? h("p", { class: "muted" }, "Draw your card through the reader, or sign in with your number.") : null, h("label", {}, "Staff number", staff), h("label", {}, "PIN", pin), actions(close, "Sign in", value)),
      keypad([staff, pin]),
    );
    sheet.addEventListener("submit", () => value() && close(value()));
  });
}

// The second half of a card: its owner's PIN.
export function askPin(name) {
  return open(`PIN of ${name}`, (sheet, close) => {
    const pin = pinField();
    const value = () => pin.value || undefined;
    sheet.classList.add("with-keypad");
    sheet.append(h("div", { class: "fields" }, h("label", {}, "PIN", pin), actions(close, "Sign in", value)), keypad([pin]));
    sheet.addEventListener("submit", () => value() && close(value()));
  });
}

const pinField = () => h("input", { name: "pin", type: "password", inputmode: "none", autocomplete: "off", "aria-label": "PIN" });

// Large digits for the field that was touched last.
function keypad(fields) {
  let field;
  const fill = (chosen) => {
    field = chosen;
    for (const each of fields) each.classList.toggle("filling", each === field);
  };
  for (const each of fields) each.addEventListener("focus", () => fill(each));
  fill(fields[0]);
  const digit = (text) => key(text, "", { "data-digit": text, onclick: () => (field.value += text) });
  const next = fields.length > 1 ? key("Next", "", { "data-digit": "next", onclick: () => fields[(fields.indexOf(field) + 1) % fields.length].focus() }) : h("span", {});
  return h("div", { class: "keypad" }, ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map(digit), key("⌫", "", { "aria-label": "Delete", onclick: () => (field.value = field.value.slice(0, -1)) }), digit("0"), next);
}

// Something to read; one touch puts it away.
export function tellSheet(title, ...parts) {
  return open(title, (sheet, close) => {
    sheet.classList.add("told");
    sheet.append(h("div", { class: "told-body", tabindex: "0" }, parts), h("div", { class: "actions" }, key("Back", "", { class: "back", onclick: () => close(null) })));
  });
}

const REASONS = ["Seen by the supervisor", "Seen on camera", "Dealer's account", "Agreed with the players"];

export function askReason(title) {
  return open(title, (sheet, close) => {
    const text = h("input", { name: "reason", maxlength: 200, autocomplete: "off" });
    sheet.append(
      h("div", { class: "choices" }, REASONS.map((reason) => key(reason, "", { onclick: () => close(reason) }))),
      h("label", {}, "Or in your own words", text),
      actions(close, "Go on", () => text.value.trim() || undefined),
    );
  });
}

// Whether it shall be done all the same. The safe answer is the large one; what cannot be undone is the small one.
export function confirm(title, text, label, safe = "Go back") {
  return open(title, (sheet, close) => {
    sheet.classList.add("weighty");
    sheet.append(
      h("div", { class: "told-body", tabindex: "0" }, [text].flat().map((line) => h("p", {}, floorWords(line)))),
      h("div", { class: "actions" }, key(label, "", { class: "all-the-same", "data-key": "all-the-same", onclick: () => close(true) }), key(safe, "", { class: "main safe", "data-key": "safe", onclick: () => close(null) })),
    );
  }, ".safe");
}

// What must be told with a key. Fields come from the game where it knows better than the name does.
export function askFields(title, fields) {
  return open(title, (sheet, close) => {
    const readers = {};
    let single = null;
    for (const field of fields) {
      const [node, read] = control(field, (value) => single && close({ [field.name]: value }));
      readers[field.name] = [read, node];
      sheet.append(node);
    }
    single = fields.length === 1 && fields[0].kind === "choice" && !fields[0].optional;
    const value = () => {
      const found = {};
      for (const [read, node] of Object.values(readers)) node.querySelector(":scope > .wrong")?.remove();
      for (const [name, [read, node]] of Object.entries(readers)) {
        const got = read();
        if (got instanceof Wrong) {
          node.append(h("p", { class: "wrong", role: "alert" }, got.text));
          node.querySelector("input, button")?.focus();
          return undefined;
        }
        if (got !== null) found[name] = got;
      }
      return found;
    };
    sheet.append(single ? h("div", { class: "actions" }, key("Cancel", "", { onclick: () => close(null) })) : actions(close, "Go on", value));
  });
}

// What was entered cannot be taken, and why.
class Wrong {
  constructor(text) {
    this.text = text;
  }
}

const CHOOSE = new Wrong("Choose one.");
const AMOUNT = /^-?\$?(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/;

// An amount in cents or a whole number, exactly as it was written: nothing is rounded or guessed.
function numeral(text, money) {
  const bare = text.replace(/\s/g, "");
  if (!money) return /^-?\d+$/.test(bare) ? Number(bare) : new Wrong("Write a whole number.");
  return AMOUNT.test(bare) ? Math.round(Number(bare.replace(/[$,]/g, "")) * 100) : new Wrong("Write an amount like 25, 2.50 or 1,000.");
}

function control(field, chosen) {
  const label = field.label ?? words(field.name);
  if (field.kind === "choice") {
    let picked;
    const keys = (field.choices ?? []).map(([value, text]) =>
      key(text, "", {
        "data-choice": value,
        "aria-pressed": "false",
        onclick: (event) => {
          picked = field.number ? Number(value) : field.several ? value.split(" ") : value;
          for (const other of keys) {
            other.setAttribute("aria-pressed", String(other === event.currentTarget));
            other.classList.toggle("proposed", other === event.currentTarget);
          }
          chosen(picked);
        },
      }),
    );
    return [h("div", { class: "stack", role: "group", "aria-label": label }, h("span", { class: "muted" }, label), h("div", { class: "choices" }, keys)), () => picked ?? (field.optional ? null : CHOOSE)];
  }
  if (field.kind === "card") return cardField(field, label);
  if (field.kind === "cards") return cardsField(field, label);
  if (field.kind === "flag" && field.optional) return yesOrNo(field);
  if (field.kind === "flag") {
    const box = h("input", { type: "checkbox", name: field.name });
    return [h("label", { class: "flag" }, box, label), () => box.checked];
  }
  const list = field.suggestions?.length ? h("div", { class: "choices small" }) : null;
  const number = ["money", "number", "rate"].includes(field.kind);
  const input = h("input", { name: field.name, maxlength: 200, autocomplete: "off", inputmode: number ? "decimal" : null });
  for (const suggestion of field.suggestions ?? []) list.append(key(suggestion, "", { onclick: () => (input.value = suggestion) }));
  const read = () => {
    const text = input.value.trim();
    if (!text) return field.optional ? null : new Wrong("This is needed.");
    if (["names", "cards", "numbers"].includes(field.kind)) return listed(text, field.kind === "numbers");
    if (!number) return text;
    if (field.kind === "rate") return /^\d+([.,]\d{1,2})?$/.test(text) ? Number(text.replace(",", ".")) : new Wrong("Write a number like 5 or 2.5.");
    return numeral(text, field.kind === "money");
  };
  return [h("label", {}, field.kind === "money" ? `${label} ($)` : label, input, list), read];
}

// Several names or numbers, with commas between them.
function listed(text, numbers) {
  const parts = text.split(/[,;]/).map((part) => part.trim()).filter(Boolean);
  if (!numbers) return parts;
  const found = parts.flatMap((part) => part.split(/\s+/)).map(Number);
  return found.every(Number.isInteger) ? found : new Wrong("Write whole numbers, with commas between them.");
}

// Whether it is so, where nobody needs to say.
function yesOrNo(field) {
  const [node, read] = control({ ...field, kind: "choice", choices: [["yes", "Yes"], ["no", "No"]] }, () => {});
  return [node, () => (typeof read() === "string" ? read() === "yes" : read())];
}

const SUITS = [["S", "♠", "Spades"], ["H", "♥", "Hearts"], ["D", "♦", "Diamonds"], ["C", "♣", "Clubs"]];

// Rank and suit as large keys; `touched` is told which of the two was chosen.
function rankAndSuit(touched) {
  const row = (part, choices) => {
    const keys = choices.map(([value, text, name]) => key(text, "", { [`data-${part}`]: value, "aria-label": name ?? text, "aria-pressed": "false", onclick: () => touched(part, value) }));
    const mark = (chosen) => {
      for (const [place, other] of keys.entries()) {
        const on = choices[place][0] === chosen;
        other.setAttribute("aria-pressed", String(on));
        other.classList.toggle("proposed", on);
      }
    };
    return [h("div", { class: `card-keys ${part}` }, keys), mark];
  };
  const [ranks, markRank] = row("rank", [..."A23456789TJQK"].map((rank) => [rank, rank === "T" ? "10" : rank]));
  const [suits, markSuit] = row("suit", SUITS);
  const mark = ({ rank, suit }) => {
    markRank(rank);
    markSuit(suit);
  };
  return [ranks, suits, mark];
}

// A card by rank and suit, two touches.
function cardField(field, label) {
  const picked = { rank: "", suit: "" };
  const [ranks, suits, mark] = rankAndSuit((part, value) => {
    picked[part] = value;
    mark(picked);
  });
  return [h("div", { class: "stack", role: "group", "aria-label": label }, h("span", { class: "muted" }, label), ranks, suits), () => (picked.rank && picked.suit ? picked.rank + picked.suit : field.optional && !picked.rank && !picked.suit ? null : new Wrong("Choose rank and suit."))];
}

// Several cards, each by two touches or typed.
function cardsField(field, label) {
  let picked = { rank: "", suit: "" };
  const input = h("input", { name: field.name, maxlength: 200, autocomplete: "off", "aria-label": label });
  const [ranks, suits, mark] = rankAndSuit((part, value) => {
    picked[part] = value;
    if (picked.rank && picked.suit) {
      input.value = [...listed(input.value, false), picked.rank + picked.suit].join(", ");
      picked = { rank: "", suit: "" };
    }
    mark(picked);
  });
  const read = () => (input.value.trim() ? listed(input.value, false) : field.optional ? null : new Wrong("This is needed."));
  return [h("div", { class: "stack", role: "group", "aria-label": label }, h("label", {}, label, input), ranks, suits), read];
}
