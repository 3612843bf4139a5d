// The last rounds as a strip of outcomes.

import { h, replace, whenChanged, words } from "./dom.js";

export function resultStrip(gameModule, most = 12) {
  const node = h("div", { class: "results", role: "group", "aria-label": "Last results" });
  const draw = whenChanged((table, rounds) => {
    replace(
      node,
      rounds.slice(0, most).map((round) => {
        const { text, colour } = gameModule.outcome?.(table, round) ?? { text: words(round.outcome), colour: null };
        const chip = h("span", { class: "result-chip", title: `Round ${round.round}` }, text, h("small", {}, round.round || "–"));
        if (colour) chip.style.borderBottom = `4px solid ${colour}`;
        return chip;
      }),
      rounds.length ? null : h("span", { class: "muted" }, "No round has been played yet."),
    );
  });
  return { node, update: (state) => draw(state.table, state.rounds) };
}
