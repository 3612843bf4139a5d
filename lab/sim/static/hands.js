// Hands on the simulated felt: chips and cards are dragged where they shall lie, and the wheel is pushed with a finger.

import { h, money } from "/static/dom.js";

const CHIPS = [500, 2500, 10000];
const COUNTED_MS = 120; // how hard a push was is what the finger did last
const LEAST = 0.2;
const MOST = 2.3;

// The name under which levers know the place of the felt that lies under this point.
function placeAt(x, y, kind) {
  const under = document.elementFromPoint(x, y)?.closest?.("[data-symbol], [data-box], [data-seat], .board, [data-float]");
  if (!under) return null;
  if (under.matches("[data-float]")) return "float";
  if (under.dataset.symbol) return under.dataset.symbol;
  if (under.dataset.box) return `box ${under.dataset.box} main`;
  if (under.dataset.seat) return `seat ${under.dataset.seat}`;
  return kind === "card" ? "board" : null;
}

// Carries a picture of what is held along with the finger; `drop` is told where it was let go.
function carried(event, shown, drop) {
  event.preventDefault();
  const ghost = h("div", { class: "carried", "aria-hidden": "true" }, shown);
  document.body.append(ghost);
  const move = (at) => (ghost.style.transform = `translate(${at.clientX}px, ${at.clientY}px)`);
  move(event);
  const end = (at) => {
    for (const [name, listener] of held) removeEventListener(name, listener);
    ghost.remove();
    if (at.type === "pointerup") drop(at);
  };
  const held = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
  for (const [name, listener] of held) addEventListener(name, listener);
}

// What lies beside the felt: chips to lay, a card to draw, and the float for what is taken.
export function tray(pull, levers) {
  const has = (name) => levers.some((lever) => lever.name === name);
  const areas = levers.find((lever) => lever.name === "place")?.params?.find((param) => param.name === "area")?.choices ?? [];
  const lay = (cents) => (at) => {
    const area = placeAt(at.clientX, at.clientY, "chip");
    if (areas.includes(area)) pull("place", { area, dollars: cents / 100 });
  };
  const chip = (cents) => h("button", { type: "button", class: "tray-chip", "data-chip": cents / 100, title: "Drag it onto the felt", onpointerdown: (event) => carried(event, money(cents), lay(cents)) }, money(cents));
  const drawn = () => pull("draw", {});
  const dealt = (at) => {
    const place = placeAt(at.clientX, at.clientY, "card");
    if (place && place !== "float") pull("deal", { place });
  };
  const card = has("draw")
    ? h("button", { type: "button", class: "tray-card", "data-card": "draw", title: "Draw the next card", onclick: drawn }, "Draw a card")
    : has("deal")
      ? h("button", { type: "button", class: "tray-card", "data-card": "deal", title: "Drag the next card to a seat or the board", onpointerdown: (event) => carried(event, "♠", dealt) }, "Next card")
      : null;
  return h("div", { class: "tray" }, CHIPS.map(chip), card, has("collect") ? h("div", { class: "float-tray", "data-float": "true" }, "Float: drag chips here to take them") : null);
}

// Chips that lie are dragged to another place, or into the float.
export function chipsMove(felt, pull, has) {
  felt.addEventListener("pointerdown", (event) => {
    const from = placeAt(event.clientX, event.clientY, "chip");
    if (!from || from === "float" || !event.target.closest(".amount, .stake, .chip")) return;
    carried(event, event.target.closest(".area, .card-box, .seat")?.querySelector(".amount, .stake")?.textContent ?? "", (at) => {
      const to = placeAt(at.clientX, at.clientY, "chip");
      if (!to || to === from) return;
      if (to === "float") pull("collect", { area: from, dollars: 0 });
      else if (has("move")) pull("move", { source: from, target: to });
    });
  });
}

// A finger that drags the ring pushes it, as hard as it was moving when it let go; on a turning one it is a brake.
export function wheelTurns(picture, pull, turning) {
  const ring = picture.node;
  ring.classList.add("held-by-hand");
  const angle = (at) => {
    const box = ring.getBoundingClientRect();
    return Math.atan2(at.clientY - (box.top + box.height / 2), at.clientX - (box.left + box.width / 2));
  };
  ring.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    if (turning()) return pull("touch", { kind: "brake", strength: 0.5 });
    ring.setPointerCapture(event.pointerId);
    let last = angle(event);
    let sum = 0;
    const seen = [[performance.now(), 0]];
    const move = (at) => {
      const now = angle(at);
      let step = now - last;
      if (step > Math.PI) step -= 2 * Math.PI;
      if (step < -Math.PI) step += 2 * Math.PI;
      last = now;
      sum += step / (2 * Math.PI);
      seen.push([performance.now(), sum]);
    };
    const end = () => {
      ring.removeEventListener("pointermove", move);
      ring.removeEventListener("pointerup", end);
      ring.removeEventListener("pointercancel", end);
      const push = pushOf(seen);
      if (push) pull("spin", push);
    };
    ring.addEventListener("pointermove", move);
    ring.addEventListener("pointerup", end);
    ring.addEventListener("pointercancel", end);
  });
}

// Turns a second over the last moment; a finger that hardly moved pushed nothing.
export function pushOf(seen) {
  const [end, turned] = seen.at(-1);
  const [begin, before] = seen.find(([at]) => end - at <= COUNTED_MS) ?? seen[0];
  const speed = (turned - before) / Math.max(0.02, (end - begin) / 1000);
  if (Math.abs(turned) < 0.02 || Math.abs(speed) < LEAST / 2) return null;
  return { speed: Number(Math.min(MOST, Math.max(LEAST, Math.abs(speed))).toFixed(2)), sense: speed > 0 ? "clockwise" : "anticlockwise" };
}
