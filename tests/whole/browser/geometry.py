"""What is wrong with a page as it stands: text that is cut, covered or outside its card, keys too small to touch."""

from __future__ import annotations

ARM = 20.5
"""Type of which capitals are 16 arc minutes high at 60 cm on a seven-inch panel of 800 pixels, in pixels."""
FINGER = 47.5
"""9 mm of such a panel."""
LOOK = """((least, touch) => {
  const wrong = [];
  const box = (node) => node.getBoundingClientRect();
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const words = (node) => node.textContent.replace(/\\s+/g, ' ').trim().slice(0, 40);
  const scrolls = (node) => ['auto', 'scroll'].includes(getComputedStyle(node).overflowY);
  // what scrolls may hide what lies further down; sideways nothing may be hidden
  const clip = (node) => {
    const edge = { left: 0, right: innerWidth, top: -1e6, bottom: 1e6, from: -1e6, to: 1e6 };
    for (let at = node.parentElement; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const around = box(at);
      edge.left = Math.max(edge.left, around.left);
      edge.right = Math.min(edge.right, around.right);
      edge.from = Math.max(edge.from, around.top);
      edge.to = Math.min(edge.to, around.bottom);
      if (scrolls(at) || edge.loose) edge.loose = true;
      else { edge.top = Math.max(edge.top, around.top); edge.bottom = Math.min(edge.bottom, around.bottom); }
    }
    return edge;
  };
  const place = document.querySelector('.sheet-back') ?? document.body; // what lies over a page is looked at alone
  const texts = [...place.querySelectorAll('*')].filter((node) => seen(node)
    && !node.closest('svg, .unseen')
    && [...node.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim()));
  const drawn = texts.map((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const edge = clip(node);
    const shown = ({ left, right, top, bottom }) =>
      ({ left, right, top: Math.max(top, edge.from), bottom: Math.min(bottom, edge.to) });
    return { node, at: range.getBoundingClientRect(), lines: [...range.getClientRects()].map(shown), edge };
  }).filter(({ at }) => at.width && at.height);
  for (const { node, at, edge } of drawn) {
    if (at.left < edge.left - 2 || at.right > edge.right + 2) wrong.push(`${words(node)}: cut sideways`);
    if (!edge.loose && (at.top < edge.top - 3 || at.bottom > edge.bottom + 3)) wrong.push(`${words(node)}: cut`);
    if (node.scrollWidth > node.clientWidth + 2 && getComputedStyle(node).overflowX === 'hidden')
      wrong.push(`${words(node)}: does not fit`);
    const card = node.closest('.card, .key, .tile, .area, .card-box, .seat, .step, .alarm, .prompt');
    if (card && card !== node) {
      const around = box(card);
      const aside = at.left < around.left - 2 || at.right > around.right + 2;
      if (aside || at.bottom > around.bottom + 3 || at.top < around.top - 3)
        wrong.push(`${words(node)}: outside its ${card.className.split(' ')[0]}`);
    }
    const size = parseFloat(getComputedStyle(node).fontSize);
    if (least && size < least - 0.01 && !node.closest('nav')) wrong.push(`${words(node)}: ${size} px`);
  }
  // a word whose letters stand under one another is not read
  for (const { node } of drawn) for (const part of node.childNodes) {
    if (part.nodeType !== 3) continue;
    for (const { 0: word, index } of part.textContent.matchAll(/[\\p{Script=Latin}\\d$.,]{2,}/gu)) {
      const range = document.createRange();
      range.setStart(part, index);
      range.setEnd(part, index + word.length);
      const pieces = [...range.getClientRects()].filter(({ width }) => width > 0.5);
      if (new Set(pieces.map(({ top }) => Math.round(top))).size > 1) wrong.push(`${words(node)}: “${word}” is broken`);
    }
  }
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
  drawn.forEach((one, number) => {
    for (const other of drawn.slice(number + 1)) {
      if (!over(one.at, other.at) || one.node.contains(other.node) || one.edge.loose !== other.edge.loose) continue;
      if (one.lines.some((a) => other.lines.some((b) => over(a, b))))
        wrong.push(`${words(one.node)} and ${words(other.node)} overlap`);
    }
  });
  for (const key of place.querySelectorAll('button, a[href], input, select, [role=button]')) {
    if (!seen(key) || key.closest('nav')) continue;
    const at = box(key);
    if (touch && at.width && (at.height < touch - 0.5 || at.width < touch - 0.5))
      wrong.push(`${words(key)}: ${Math.round(at.width)} by ${Math.round(at.height)} px to touch`);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push('the page is wider than the glass');
  return [...new Set(wrong)];
})"""


def looked_at(least: float, touch: float) -> str:
    """An expression that tells everything wrong with the page; `least` type and `touch` in pixels, 0 for any."""
    return f"{LOOK}({least}, {touch})"
