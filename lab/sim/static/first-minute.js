// The first minute: five steps that each make something happen, ticked off as the table notices them.

import { h, replace, whenChanged } from "/static/dom.js";
import { key } from "/static/parts.js";

const PLUG = (device) => ({
  title: "Pull a plug", text: "Touch the key here, or “Break a line” on the right. The table says what is missing and waits.",
  lever: "line", args: { device, fault: "unplug", seconds: 12 }, done: (now) => now.alarms.some((alarm) => alarm.code.endsWith(":down")),
});
const RULE = (text) => ({ title: "Rule on it", text, done: (now, did) => did.answered });

// By game: what is done with which lever, when that can be done, and by what one sees that it was noticed.
const STEPS = {
  wheel: [
    { title: "Spin the wheel", text: "Drag the ring with a finger and let go, or touch the key here.", lever: "spin", args: { speed: 1.3 }, done: (now) => now.game.turning },
    { title: "Brake it", text: "Touch the ring while it turns. The sensor knows this wheel, and notices.", lever: "touch", args: { kind: "brake", strength: 0.5 }, when: (now) => now.game.turning, done: (now, did) => did.touch },
    { title: "Bet late", text: "Press “No more bets”, then drag a chip onto the felt.", press: "no_more_bets", lever: "place", args: { area: "C", dollars: 25, player: "P9" }, when: (now) => now.game.state !== "betting_open", done: (now, did) => did.late },
    PLUG("wheel"),
    RULE("The questions in the middle are yours now: answer one. Whose rank it needs is written on the key."),
  ],
  war: [
    { title: "Lay a bet", text: "Drag a chip onto a box.", lever: "place", args: { area: "box 1 main", dollars: 25, player: "P1" }, done: (now, did) => did.place },
    { title: "Draw a card", text: "Press “No more bets”, then draw a card.", press: "no_more_bets", lever: "draw", args: {}, done: (now) => now.game.cards.some((one) => String(one.to).startsWith("box")) },
    { title: "Spoil the next one", text: "The next card cannot be read when it is drawn.", lever: "spoil", args: { kind: "unreadable" }, then: "draw", done: (now, did) => did.spoil },
    PLUG("shoe"),
    RULE("The questions in the middle are yours now: answer one. Whose rank it needs is written on the key."),
  ],
};
STEPS.poker = [
  { title: "Act for a player", text: "Press what the player does whose turn it is: the large key, or one below it.", done: (now, did) => now.game.turn !== (did.turn ??= now.game.turn) },
  { title: "Lay chips out of turn", text: "Drag a chip before another seat.", lever: "place", args: { area: "the line of seat 1", dollars: 25 }, done: (now, did) => did.place },
  { title: "Smuggle a card in", text: "A card of no deck of this house lies on the board.", lever: "foreign", args: { place: "the board", lies: true }, done: (now, did) => did.foreign },
  PLUG("cards"),
  RULE("What the table asks is in the middle: answer it. Whose rank it needs is written on the key."),
];
const READY = { wheel: "betting_open", war: "betting", poker: "bet1" };

export function firstMinute(channel, desk, pull) {
  const node = h("section", { class: "card first-minute", "data-part": "first-minute" });
  let did = {}; // since it was begun
  let at = -1; // before it was begun
  let waiting = false;
  let taking = false;
  const steps = () => STEPS[channel.state.table?.game] ?? null;

  // The round under way ends at speed; then dealer and players stand back, and the table is the newcomer's.
  const begin = async () => {
    waiting = true;
    draw();
    await pull("people", { play: true });
    await pull("speed", { times: "20" });
  };
  const take = async () => {
    taking = true;
    await pull("people", { play: false });
    await pull("speed", { times: "1" });
    if (!desk.me.person) await desk.signInAs(desk.me.staff[0]);
    waiting = taking = false;
    did = {};
    at = 0;
    draw();
  };
  const show = async (step) => {
    const offered = () => channel.state.keys.find((one) => one.name === step.press);
    if (offered()) await desk.press(offered());
    for (let waits = 0; offered() && waits < 100; waits += 1) await new Promise((go) => setTimeout(go, 20)); // until the page has heard of it
    if (step.lever) await pull(step.lever, step.args);
    if (step.then) await pull(step.then, {});
  };
  const finish = async () => {
    at = -1;
    await pull("people", { play: true });
    draw();
  };

  function draw() {
    const list = steps();
    node.classList.toggle("hidden", !list);
    if (!list) return;
    if (waiting) return replace(node, h("h2", {}, "The first minute"), h("p", {}, "One moment: the round under way is played to its end."));
    if (at < 0) return replace(node, h("h2", {}, "The first minute"), h("p", {}, `Five steps that make something happen: ${list.map((step) => step.title.toLowerCase()).join(", ")}.`), key("Begin", "", { class: "main small", "data-key": "begin", onclick: begin }));
    if (at >= list.length) return replace(node, h("h2", {}, "That was it"), h("p", {}, "Everything you did is in the journal: look at it in the pit, round by round."), key("Dealer and players go on", "", { class: "main small", "data-key": "go-on", onclick: finish }));
    const step = list[at];
    return replace(
      node,
      h("h2", {}, `Step ${at + 1} of ${list.length}: ${step.title}`),
      h("p", {}, step.text),
      h("div", { class: "row" }, step.lever ? key("Do it for me", "", { class: "small", "data-key": "show-me", onclick: () => show(step) }) : null, key("Skip", "", { class: "small", "data-key": "skip", onclick: () => { at += 1; draw(); } })),
    );
  }
  const redraw = whenChanged(draw);

  return {
    node,
    // What was done at the bench, by the name of the lever.
    pulled(name) {
      did[name] = true;
      if (name === "place" && ["spin_closed", "check", "ruling", "closed_wait_spin"].includes(channel.state.game?.state)) did.late = true;
    },
    answered() {
      if (at >= 0) did.answered = true;
    },
    update(now) {
      if (waiting && !taking && now.game.state === READY[now.table.game] && !now.prompts.length) take();
      const list = steps();
      while (list && at >= 0 && at < list.length && list[at].done(now, did)) at += 1;
      redraw(at, waiting, now.table.game);
    },
  };
}
