// Big Wheel: the ring with its true angle, the layout with its chips, and the words of a round.

import { h, s, money, replace, setText, whenChanged, words } from "/static/dom.js";
import { Plot } from "/static/plot.js";
import { Turning } from "/static/turning.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const COLOURS = ["#2f6f8f", "#8a4b2d", "#4b7f52", "#7a4a86", "#a5812b", "#a23b47", "#46579b", "#5d6b73", "#8c5a75", "#2f7f7a", "#7b6a3a", "#9b4f9b"];

export function colour(table, symbol) {
  const place = table.symbols.findIndex((one) => one.symbol === symbol);
  return COLOURS[Math.max(0, place) % COLOURS.length];
}

export function label(table, symbol) {
  return table.labels?.[symbol] ?? symbol;
}

// Why a spin is none, in the words of the floor.
const REASONS = { under_revs: "too few turns", not_clear: "not clearly in a compartment", interference: "the wheel was touched", malfunction: "the wheel or its sensor failed" };

const HEADLINES = {
  idle: ["Ready for the next spin", "Announce that bets may be placed."],
  betting_open: ["Place your bets", "Spin when the bets are down."],
  closed_wait_spin: ["No more bets", "Spin the wheel."],
  spin_open: ["The wheel turns, betting is open", "Announce no more bets."],
  spin_closed: ["The wheel turns", "Nobody touches chips or wheel."],
  check: ["The wheel has come to rest", "The result is being checked."],
  ruling: ["A decision is needed", ""],
  no_spin: ["No spin", "Wagers stay."],
  result: ["Announce the result", ""],
  collect: ["Collect losing wagers", ""],
  pay: ["Pay winning wagers", ""],
  cancelled: ["The spin is invalid", "Every wager goes back."],
};

export function headline(state) {
  const game = state.game;
  const [title, hint] = HEADLINES[game.state] ?? [words(game.state), ""];
  const won = game.winner ? state.table.symbols.find((one) => one.symbol === game.winner) : null;
  if (won && ["result", "collect", "pay"].includes(game.state)) {
    const text = `${label(state.table, won.symbol)} · ${won.odds} to 1`;
    return { title: game.state === "result" ? `Announce ${text}` : title, hint: game.state === "result" ? "" : text };
  }
  return { title, hint };
}

// The numbers a person judges a spin by, in the words of the table.
export function evidence(asked, table) {
  const found = asked.evidence;
  if (found?.forward === undefined) return null;
  const count = table.ring.length;
  const shown = { turns: `${(found.forward / count).toFixed(2)} of ${table.revolutions}` };
  if (found.compartment !== null) shown.pointer_at = `${label(table, table.ring[found.compartment])} (compartment ${found.compartment})`;
  if (found.offset !== null && found.offset !== undefined) shown.from_the_divider = `${Math.round(found.offset * 100)} % of a compartment`;
  if (found.reversal) shown.rolled_back = `${found.reversal.toFixed(1)} compartments`;
  if (found.fastest !== undefined) shown.fastest = `${found.fastest.toFixed(2)} turns a second`;
  return { ...shown, findings: (found.findings ?? []).filter((finding) => finding.kind !== "turns") };
}

// What a question is about: where the pointer stands between its neighbours, and the chips.
export function subject(asked, table) {
  const { compartment, offset, changes = [], wagers = [], cents } = asked.evidence ?? {};
  const lying = [...changes.map((one) => [one.cents, one.owner]), ...wagers.map((one) => [one.cents, `${label(table, one.symbol ?? "")} ${one.owner ?? ""}`]), ...(cents ? [[cents, ""]] : [])];
  const chips = lying.slice(0, 4).map(([amount, whose]) => h("span", { class: "stake" }, chip("#b58a2b"), money(amount), whose ? h("small", {}, whose) : null));
  return [compartment === null || compartment === undefined ? null : stand(table, compartment, offset ?? 0.5), ...chips].filter(Boolean);
}

// Three compartments with the pointer over the middle one, at its place between the dividers.
function stand(table, compartment, offset) {
  const count = table.ring.length;
  const around = [1, 0, -1].map((step) => table.ring[(compartment + step + count) % count]); // they lie anticlockwise
  const boxes = around.map((symbol, place) => [
    s("rect", { x: place * 40, y: 12, width: 40, height: 34, fill: colour(table, symbol) }),
    s("text", { x: place * 40 + 20, y: 36, "text-anchor": "middle", "font-size": label(table, symbol).length > 3 ? 9 : 18, fill: "#fff", "font-weight": 650 }, label(table, symbol)),
  ]);
  const pegs = [0, 40, 80, 120].map((x) => s("line", { x1: x, x2: x, y1: 9, y2: 46, stroke: "#fffdf7", "stroke-width": 2 }));
  const at = (40 + (1 - offset) * 40).toFixed(1);
  return s("svg", { class: "stand", viewBox: "-2 0 124 48", role: "img", "aria-label": `The pointer over ${label(table, table.ring[compartment])}` }, boxes, pegs, s("path", { d: `M${at - 6} 0h12L${at} 15z`, fill: "#d9b25c", stroke: "#1b211e", "stroke-width": 1 }));
}

// What stands in for a sensor or a mat comes first: the wheel is spun, then bets are closed, then it rests.
export const mainKeys = ["open", "taken_and_paid", "place_bets", "wheel_spun", "no_more_bets", "wheel_rests", "acknowledge", "losers_clear", "paid"];

export function sideKeys(state) {
  const unread = state.keys.some((one) => one.name === "chips_laid");
  return unread ? ["chips_laid", "chips_taken", "no_spin"] : ["no_spin", "interference", "assign"];
}

// Keys that show what they will do before it is done.
export const weighty = ["void", "exclude", "withhold", "cancel_disruption", "cancel_fraud"];
export const settles = ["result", "collect", "pay"];

// A symbol that is chosen, as such or by its area, has its name on this wheel.
export function choiceWords(name, text, state) {
  return name === "symbol" || name === "area" ? label(state.table, text) : text;
}

// The ring, which turns clockwise as the players see it, and over it what stands: the hub and the pointer.
const GLASS = "-72 -78 144 156"; // around the middle of the wheel, so that a layer turns about it
export class Picture {
  constructor(options = {}) {
    this.options = options;
    this.ringNode = s("svg", { class: "ring", viewBox: GLASS, "aria-hidden": "true" });
    this.standing = s("svg", { class: "standing", viewBox: GLASS, "aria-hidden": "true" });
    this.node = h("div", { class: "wheel", role: "img", "aria-label": "The wheel" }, this.ringNode, this.standing);
    this.turning = new Turning(this.ringNode);
    this.angle = 0;
    this.speed = 0;
    this.drawRing = whenChanged((table) => this.ring(table));
    this.drawHub = whenChanged((...inputs) => this.hub(...inputs));
  }

  ring(table) {
    this.table = table;
    const count = table.ring.length;
    const step = 360 / count;
    this.step = step;
    const point = (radius, degrees) => {
      const radians = ((degrees - 90) * Math.PI) / 180;
      return [(radius * Math.cos(radians)).toFixed(3), (radius * Math.sin(radians)).toFixed(3)];
    };
    const parts = [s("circle", { class: "rim", r: 69 })];
    this.sectors = table.ring.map((symbol, place) => {
      // compartments pass the pointer in growing order while the wheel turns clockwise, so they lie anticlockwise
      const middle = -(place + 0.5) * step;
      const [ax, ay] = point(64, middle - step / 2);
      const [bx, by] = point(64, middle + step / 2);
      const [cx, cy] = point(34, middle + step / 2);
      const [dx, dy] = point(34, middle - step / 2);
      const sector = s("path", { d: `M${ax} ${ay}A64 64 0 0 1 ${bx} ${by}L${cx} ${cy}A34 34 0 0 0 ${dx} ${dy}Z`, fill: colour(table, symbol), stroke: "#ffffff", "stroke-opacity": ".35", "stroke-width": ".35" });
      parts.push(sector);
      const text = s("text", { x: 0, y: -56.4, "text-anchor": "middle", "font-size": label(table, symbol).length > 3 ? 2.6 : 5, transform: `rotate(${middle.toFixed(3)})` }, label(table, symbol));
      parts.push(text);
      const [px, py] = point(66.6, middle + step / 2);
      parts.push(s("circle", { class: "peg", cx: px, cy: py, r: 0.95 }));
      return sector;
    });
    this.hubNode = s("g", {});
    this.track = s("g", {});
    replace(this.ringNode, parts);
    replace(this.standing, s("circle", { class: "hub", r: 34 }), this.track, this.hubNode, s("path", { class: "pointer", d: "M-4.2 -77.5h8.4L0 -62.5z" }));
    this.place();
  }

  hub(big, small, below, turns, needed) {
    const length = 2 * Math.PI * 29;
    const share = Math.min(1, needed ? turns / needed : 0);
    replace(
      this.track,
      s("circle", { class: "turns", r: 29, "stroke-opacity": turns || big ? 1 : 0.5 }),
      share > 0 ? s("circle", { class: "turned", r: 29, "stroke-dasharray": `${(length * share).toFixed(2)} ${length.toFixed(2)}`, transform: "rotate(-90)" }) : null,
    );
    const size = String(big).length > 4 ? 9 : 15;
    const narrow = Math.min(8, 74 / String(small).length); // what the ring of the hub is wide at that height
    replace(
      this.hubNode,
      s("text", { class: "hub-small", "text-anchor": "middle", y: -12, "font-size": narrow }, small),
      s("text", { class: "hub-big", "text-anchor": "middle", y: size / 3 + 1, "font-size": size }, big),
      s("text", { class: "hub-small", "text-anchor": "middle", y: 20, "font-size": 8 }, below),
    );
  }

  update(state) {
    this.drawRing(state.table);
    const game = state.game;
    const needed = state.table.revolutions;
    if (game.turning) {
      const turns = game.spin?.turns ?? 0;
      this.drawHub(`${turns}`, game.spin?.sense ?? "turning", `of ${needed}`, turns, needed);
    } else if (game.winner) {
      const won = state.table.symbols.find((one) => one.symbol === game.winner);
      this.drawHub(label(state.table, game.winner), "result", won ? `${won.odds} to 1` : "", needed, needed);
    } else {
      this.atRest();
    }
    this.resting = !game.turning && !game.winner;
    const won = game.winner && game.verdict?.compartment !== null && game.verdict?.compartment !== undefined ? game.verdict.compartment : -1;
    if (won !== this.won) {
      this.won = won;
      this.sectors.forEach((sector, place) => sector.classList.toggle("won", place === won));
    }
    if (!game.turning) {
      if (this.wasTurning) this.place(); // it rests, whatever its last frame foretold
      if (won >= 0) this.rest(won);
    }
    this.wasTurning = game.turning;
  }

  // Whatever holds the pointer now: nothing of a round, only where the wheel stands.
  atRest() {
    const under = this.under();
    this.drawHub(under === null ? "–" : label(this.table, this.table.ring[under]), "at rest", "", 0, this.table.revolutions);
  }

  rest(compartment) {
    // the live angle is lossy: once the result stands, the picture agrees with it
    const under = this.under();
    if (under !== compartment) {
      this.angle = ((compartment + 0.5 - this.table.offset) * this.table.counts) / this.table.ring.length;
      this.place();
    }
  }

  live(devices) {
    const turning = devices.wheel;
    if (!turning || !this.table) return;
    this.known = true;
    this.angle = turning.angle;
    this.speed = turning.speed / 1000; // turns a second, positive clockwise
    if (Math.abs(this.speed) < 0.002) this.speed = 0;
    if (this.speed === 0 && this.resting) this.atRest();
    if (this.speed === 0 || STILL.matches) this.place(); // whoever wants no motion sees what was measured
    else this.turning.turn(this.degrees(), this.speed * 360);
  }

  under() {
    if (!this.table || !this.known) return null;
    const count = this.table.ring.length;
    const place = Math.floor((this.angle / this.table.counts) * count + this.table.offset);
    return ((place % count) + count) % count;
  }

  degrees() {
    return (this.angle / this.table.counts) * 360 + this.table.offset * this.step;
  }

  place() {
    if (this.table) this.turning.stand(this.degrees());
  }
}

const CHIP = "M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0z";

export function layout(options = {}) {
  const node = h("div", { class: `layout ${options.compact ? "compact" : ""}`, role: "group", "aria-label": "Layout" });
  const draw = whenChanged((table, areas, winner, results, off) => {
    const due = {};
    for (const result of results) if (result.result === "win") due[result.bet] = (due[result.bet] ?? 0) + result.pays;
    replace(
      node,
      table.symbols.map(({ symbol, odds }) => {
        const amount = areas[symbol] ?? 0;
        return h(
          "div",
          { class: `area ${winner === symbol ? "won" : ""} ${off[symbol] ? "off" : ""}`, "data-symbol": symbol },
          h("span", { class: "symbol" }, swatch(colour(table, symbol)), label(table, symbol)),
          h("span", { class: "odds" }, `${odds} to 1`),
          h("span", { class: "amount" }, amount ? [chip(colour(table, symbol)), money(amount)] : null),
          off[symbol] ? h("em", { class: "off-why" }, off[symbol].join(", ")) : null,
          winner === symbol ? h("span", { class: "tag" }, due[symbol] ? `pays ${money(due[symbol])}` : "winner") : null,
        );
      }),
    );
  });
  return { node, update: (state) => draw(state.table, state.game.areas, state.game.winner, state.game.results ?? [], state.game.off ?? {}) };
}

function swatch(fill) {
  return s("svg", { class: "swatch", viewBox: "0 0 12 12", "aria-hidden": "true" }, s("rect", { width: 12, height: 12, fill }));
}

function chip(fill) {
  return s("svg", { class: "chip", viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: CHIP, fill: "#f4efe2" }), s("circle", { cx: 8, cy: 8, r: 6.6, fill: "none", stroke: fill, "stroke-width": 2.2, "stroke-dasharray": "3.4 3.5" }));
}

export function outcome(table, round) {
  const won = table.symbols.find((one) => one.symbol === round.outcome);
  return { text: won ? label(table, won.symbol) : words(round.outcome || "void"), colour: won ? colour(table, won.symbol) : null };
}

// Where the wheel has come to rest since the table opened, beside how often each compartment was due.
export function landings() {
  const text = h("p", { class: "muted" });
  const plot = s("svg", { class: "landings", viewBox: "0 0 320 92", role: "img", "aria-label": "Landings by compartment" });
  const node = h("section", { class: "card", "data-part": "landings", hidden: true }, h("h2", {}, "Landings"), plot, text);
  const draw = whenChanged((table, seen) => {
    node.hidden = !seen?.spins;
    if (node.hidden) return;
    const most = Math.max(seen.due, ...seen.counts);
    const step = 320 / seen.counts.length;
    const tall = (count) => (count / most) * 76;
    const bars = seen.counts.map((count, place) => {
      const name = `Compartment ${place}, ${label(table, seen.symbols[place])}: ${count} of ${seen.spins}`;
      return s("rect", { x: (place * step + 0.5).toFixed(2), y: (80 - tall(count)).toFixed(2), width: (step - 1).toFixed(2), height: tall(count).toFixed(2), fill: colour(table, seen.symbols[place]) }, s("title", {}, name));
    });
    const names = seen.symbols.map((symbol, place) => s("text", { x: ((place + 0.5) * step).toFixed(2), y: 89, "text-anchor": "middle", "font-size": 5 }, label(table, symbol).slice(0, 2)));
    const due = s("line", { class: "due", x1: 0, x2: 320, y1: (80 - tall(seen.due)).toFixed(2), y2: (80 - tall(seen.due)).toFixed(2) });
    replace(plot, bars, due, names);
    setText(text, seen.text);
    node.classList.toggle("warn", seen.uneven);
  });
  return { node, update: (state) => draw(state.table, state.game.landings) };
}

const REDRAWN_MS = 250; // numbers that change faster than that nobody reads

// Speed against turns, beside what this wheel does when nobody touches it.
export function monitor() {
  const plot = new Plot({ width: 400, height: 230, x: "turns", y: "turns/s", label: "Speed of the wheel" });
  const now = h("div", { class: "gauges" });
  const gauge = (name) => {
    const value = h("b", {}, "–");
    now.append(h("div", {}, value, h("span", {}, name)));
    return value;
  };
  const turns = gauge("turns");
  const speed = gauge("turns a second");
  const sense = gauge("sense");
  let spin = 0;
  let points = [];
  let travelled = 0;
  let last = null;
  let table = null;
  let drawn = 0;
  let framed = "";
  let shown = null;
  return {
    node: h("div", {}, now, plot.node, legend()),
    update(state) {
      table = state.table;
      const game = state.game;
      setText(turns, game.spin ? `${game.spin.turns} of ${table.revolutions}` : "–");
      setText(sense, game.spin?.sense ?? "–");
      if (!game.turning) setText(speed, "at rest");
      const last = game.drawn;
      if (!game.turning && last?.speeds?.length && shown !== last.spin) {
        shown = last.spin; // the whole trace stands in place of what a page happened to catch of it
        points = last.speeds;
        redraw(last.sense, last);
        drawn = performance.now();
      }
      if (!drawn) redraw();
    },
    live(devices) {
      const seen = devices.wheel;
      if (!seen || !table) return;
      if (seen.speed === 0 && shown !== null) return; // at rest the trace of the last spin stays
      if (seen.spin && seen.spin !== spin) {
        spin = seen.spin;
        points = [];
        travelled = 0;
        last = null;
      }
      if (last !== null) {
        let moved = seen.angle - last;
        if (seen.speed > 0 && moved < -100) moved += table.counts;
        if (seen.speed < 0 && moved > 100) moved -= table.counts;
        travelled += Math.abs(moved) / table.counts;
      }
      last = seen.angle;
      points.push([travelled, Math.abs(seen.speed) / 1000]);
      if (points.length > 1200) points.shift();
      const at = performance.now();
      if (at - drawn < REDRAWN_MS) return;
      drawn = at;
      setText(speed, (Math.abs(seen.speed) / 1000).toFixed(2));
      // while it only slows down, scales and band stay, and nothing but its own line is drawn
      const frame = `${spin} ${Math.max(...points.map(([, swift]) => swift))} ${Math.floor(travelled / 5)}`;
      if (frame === framed && plot.goOn("seen", points)) return;
      framed = frame;
      redraw(seen.speed >= 0 ? "clockwise" : "anticlockwise");
    },
  };
  function redraw(way = "clockwise", spin = {}) {
    drawSpeeds(plot, points, table, way, spin);
  }
}

// One spin, the band in which natural spins from such a launch lie, and a mark where a hand came.
function drawSpeeds(plot, points, table, way, spin = {}) {
  const fastest = Math.max(0.5, ...points.map(([, speed]) => speed));
  const natural = (more) => expected(points, table.profile?.[way], table.ring.length, spin.level ?? [1, 0], more);
  const spread = table.profile?.[way]?.spread ?? 0;
  const [upper, lower] = [natural(-spread), natural(spread)];
  const furthest = Math.max(table.revolutions + 1, points.at(-1)?.[0] ?? 0, upper.at(-1)?.[0] ?? 0);
  const stepX = furthest > 24 ? 5 : furthest > 10 ? 2 : 1;
  const hands = spin.touched ? [{ x: spin.touched.turn, text: `touched at turn ${spin.touched.turn.toFixed(1)}`, kind: "hand" }] : [];
  plot.draw(
    [{ points, kind: "seen" }],
    { maxX: Math.ceil(furthest / stepX) * stepX, maxY: Math.ceil(fastest * 2) / 2, stepX, stepY: fastest > 1 ? 0.5 : 0.25, bands: [{ upper, lower, kind: "natural" }], marks: [{ x: table.revolutions, text: `${table.revolutions} revolutions` }, ...hands] },
  );
}

// What the lines of a spin's plot mean.
function legend() {
  const sample = (part) => s("svg", { viewBox: "0 0 26 12", "aria-hidden": "true" }, part);
  const line = (kind) => sample(s("line", { class: kind, x1: 0, x2: 26, y1: 6, y2: 6 }));
  const band = sample(s("rect", { class: "natural", width: 26, height: 12 }));
  const entries = [[line("this-spin"), "this spin"], [band, "natural spins from such a launch"], [line("hand"), "where a hand came"], [line("needed"), "the turns that are needed"]];
  return h("ul", { class: "legend", "data-part": "legend" }, entries.map(([drawn, text]) => h("li", {}, drawn, text)));
}

// From its fastest point the wheel loses in every compartment what it was learnt to lose at that speed, `more` or less.
function expected(points, friction, compartments, [share, tilt], more) {
  if (!friction || points.length < 3) return [];
  let top = 0;
  points.forEach(([, speed], place) => (top = speed > points[top][1] ? place : top));
  let [turn, speed] = points[top];
  const line = [[turn, speed]];
  let swift = speed * compartments;
  for (let n = 0; n < 60 * compartments && swift > 1; n += 1) {
    const leans = (swift - 25) / (swift + 25); // slow or fast, as `drivers/motion/energy.py` has it
    const energy = swift * swift - 2 * lossAt(friction.losses, swift) * (share + tilt * leans) * (1 + more);
    if (energy <= 0) break;
    swift = Math.sqrt(energy);
    turn += 1 / compartments;
    if (n % 8 === 0) line.push([turn, swift / compartments]);
  }
  line.push([turn, 0]);
  return line;
}

function lossAt(losses, speed) {
  const above = losses.findIndex(([at]) => at > speed);
  if (above <= 0) return above ? losses.at(-1)[1] : losses[0][1];
  const [[slow, less], [fast, more]] = [losses[above - 1], losses[above]];
  return less + ((more - less) * (speed - slow)) / (fast - slow);
}

// What the record of a round shows besides its rows.
export function recordParts(rows, table) {
  return rows
    .filter((row) => row.speeds?.length)
    .map((row) => {
      const plot = new Plot({ width: 640, height: 300, x: "turns", y: "turns/s", label: "Trace of the spin" });
      drawSpeeds(plot, row.speeds, table, row.event.verdict.sense, row);
      const verdict = row.event.verdict;
      const found = verdict.reasons.length ? `No spin: ${verdict.reasons.map((reason) => REASONS[reason] ?? words(reason)).join(", ")}` : verdict.clear === "clear" ? "A valid spin" : `The pointer is ${words(verdict.clear)}`;
      return h(
        "section",
        { class: "card" },
        h("h2", {}, "Trace of the spin"),
        plot.node,
        legend(),
        h("p", {}, `${found}. ${(verdict.forward / table.ring.length).toFixed(2)} turns ${verdict.sense}, fastest ${verdict.fastest.toFixed(2)} turns a second, compartment ${verdict.compartment ?? "unknown"}. How unusual its course was: ${row.unusual}.`),
        verdict.findings.map((finding) => h("p", { class: "muted" }, finding.text)),
      );
    });
}

// How the wheel came to rest, in one sentence.
function restWords(table, verdict) {
  const turns = `${(verdict.forward / table.ring.length).toFixed(2)} turns ${verdict.sense}`;
  const stood = verdict.compartment === null || verdict.compartment === undefined ? "where is not known" : `on ${label(table, table.ring[verdict.compartment])}, compartment ${verdict.compartment}`;
  const against = verdict.reasons.length ? `; against it: ${verdict.reasons.map((reason) => REASONS[reason] ?? words(reason)).join(", ")}` : "";
  return `The wheel came to rest ${stood}, after ${turns}${against}.`;
}

// What decided a wager: where the wheel stands.
export function decided({ table, game }) {
  return game.verdict?.forward !== undefined ? [h("p", {}, restWords(table, game.verdict))] : [];
}

// What decided the round, for its story: when, in words, and the clauses it rests on.
export function came(rows, table) {
  return rows
    .filter((row) => row.event.type === "WheelRested" && row.event.verdict)
    .map((row) => [row.at, restWords(table, row.event.verdict), ["5.1.3"]]);
}
