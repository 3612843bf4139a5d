// Wagers and settlements as rows.

import { h, money, replace, whenChanged, words } from "./dom.js";
import { openWhy } from "./why.js";

export function settlement(game, { wagersOnly = false } = {}) {
  const node = h("div", { class: `scroll-x ${wagersOnly ? "wagers-only" : ""}` });
  let now;
  const draw = whenChanged((table, results, wagers) => {
    const name = (bet) => game.label?.(table, bet) ?? words(bet);
    if (results.length && wagersOnly) {
      replace(node);
    } else if (results.length) {
      replace(
        node,
        h("h2", {}, "Settlement"),
        h(
          "table",
          {},
          h("thead", {}, h("tr", {}, h("th", {}, "Bet"), h("th", {}, "Result"), h("th", { class: "r" }, "Taken"), h("th", { class: "r" }, "Back"), h("th", { class: "r" }, "Pays"))),
          h("tbody", {}, results.map((one) => h("tr", { class: one.result }, h("td", {}, h("button", { type: "button", class: "open-record", "data-why": one.bet, "aria-label": `Why: ${name(one.bet)} ${one.player ?? ""}`, onclick: () => openWhy(game, now, one.bet, [one]) }, name(one.bet)), whose(one.player)), h("td", {}, one.withheld ? "withheld" : words(one.result)), h("td", { class: "r" }, one.stake_taken ? money(one.stake_taken) : "–"), h("td", { class: "r" }, one.stake_returned ? money(one.stake_returned) : "–"), h("td", { class: "r strong" }, one.pays ? money(one.pays) : "–")))),
        ),
      );
    } else {
      replace(
        node,
        h("h2", {}, "Wagers"),
        wagers.length
          ? h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Bet"), h("th", { class: "r" }, "Amount"))), h("tbody", {}, wagers.map((one) => h("tr", {}, h("td", {}, name(one.symbol ?? one.bet ?? `${one.zone} ${one.box}`), whose(one.owner || one.player)), h("td", { class: "r" }, one.ruled ? h("s", {}, money(one.cents ?? one.amount ?? 0)) : money(one.cents ?? one.amount ?? 0), one.ruled ? h("b", {}, ` ${one.ruled}`) : null)))))
          : h("p", { class: "muted" }, "No chips lie on the layout."),
      );
    }
  });
  return {
    node,
    update(state) {
      now = state;
      draw(state.table, state.game.results ?? [], game.wagers?.(state) ?? state.game.wagers ?? state.game.stakes ?? []);
    },
  };
}

// A name under its bet: beside it there is no room for it on a small screen.
const whose = (player) => (player ? h("span", { class: "whose" }, player) : null);

export function roundTable(game, onOpen) {
  const node = h("div", { class: "scroll-x" });
  const draw = whenChanged((table, rounds) => {
    replace(
      node,
      rounds.length
        ? h(
            "table",
            {},
            h("thead", {}, h("tr", {}, h("th", {}, "Round"), h("th", {}, "Result"), h("th", { class: "r" }, "Wagers"), h("th", { class: "r" }, "Taken"), h("th", { class: "r" }, "Paid"), h("th", {}, h("span", { class: "unseen" }, "Notes")))),
            h(
              "tbody",
              {},
              rounds.map((round) => {
                const shown = game.outcome?.(table, round) ?? { text: words(round.outcome) };
                const notes = [round.voids ? `${round.voids} no spin` : "", round.rulings ? `${round.rulings} ruled` : "", round.reversed ? "taken back" : "", round.by_hand?.length ? `by hand: no ${round.by_hand.join(", ")}` : "", round.taken_back ? `${round.taken_back} ${round.taken_back === 1 ? "key" : "keys"} taken back` : ""].filter(Boolean).join(", ");
                return h(
                  "tr",
                  { class: "link", "data-round": round.round, onclick: () => onOpen(round) },
                  h("td", {}, h("button", { type: "button", class: "open-record", "aria-label": `Record of round ${round.round}` }, round.round || "–")), h("td", {}, h("b", {}, shown.text)), h("td", { class: "r" }, round.wagers), h("td", { class: "r" }, money(round.taken)), h("td", { class: "r" }, money(round.paid)), h("td", { class: "muted" }, notes),
                );
              }),
            ),
          )
        : h("p", { class: "muted" }, "No round has been played yet."),
    );
  });
  return { node, update: (state) => draw(state.table, state.rounds) };
}
