// What the hall's pages share: their own places, units, the clock's words, and asking for the view.

import { card, every, h, lines, replace, sentence, shell } from "./shell.js";

export { card, h, lines, replace, sentence };

const PLACES = [["/hall", "Director"], ["/hall/clock", "Clock"], ["/hall/entrants", "Entrants"], ["/hall/cards", "Seat cards"], ["/hall/results", "Results"]];

export const units = (count) => Number(count).toLocaleString("en-AU");
export const clockOf = (at) => new Date(at).toLocaleTimeString("en-AU", { hour: "2-digit", minute: "2-digit" });
export const minutes = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;
export const words = (phase) => sentence(phase.replaceAll("_", " "));

export async function hall(page, draw) {
  const { me, main, sub } = await shell("hall");
  const here = h("nav", { class: "hall-places", "aria-label": "Tournament" }, PLACES.map(([path, label]) => h("a", { href: path, "aria-current": location.pathname === path ? "page" : null }, label)));
  const body = h("div", { class: `hall-body hall-${page}` });
  main.append(here, body);
  every(1, () => "/api/hall", (answer) => {
    if (answer.error) return replace(body, h("p", { class: "said" }, answer.error));
    sub.textContent = answer.event ? `${answer.event.title} · ${answer.event.place} · ${words(answer.phase)}` : "No terms are loaded yet";
    document.title = answer.event ? `${answer.event.title}` : "Tournament";
    draw(body, answer, me);
  });
}
