// What was said and decided, the newest first.

import { clauses } from "./clauses.js";
import { floorWords } from "./parts.js";
import { h, replace, timeOf, whenChanged } from "./dom.js";

export function lineList(most = 14, wanted = () => true) {
  const node = h("ul", { class: "lines", "aria-label": "What was said and decided" });
  const draw = whenChanged((lines) => {
    replace(
      node,
      lines.map((line) => h("li", { class: line.kind === "refused" ? "refused" : "" }, h("time", {}, timeOf(line.at)), h("span", {}, floorWords(line.text), " ", clauses(line.clauses)))),
    );
  });
  return { node, update: (state) => draw(state.lines.filter((line) => line.to !== "sign" && wanted(line)).slice(-most).reverse()) };
}
