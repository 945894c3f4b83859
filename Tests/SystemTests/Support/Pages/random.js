// Builds a made-up page from a seed: what real pages do to the boxes of their elements.
"use strict";
const parameters = new URLSearchParams(location.search);
let state = Number(parameters.get("seed")) || 1;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const int = (low, high) => low + Math.floor(random() * (high - low + 1));
const chance = (part) => random() < part;
const pick = (...list) => list[Math.floor(random() * list.length)];
const isOdd = parameters.has("odd");
let count = 0;
const color = () => `hsl(${int(0, 359)} 70% 75%)`;

function element(name, css, isTouched, text) {
  const node = document.createElement(name);
  node.style.cssText = css;
  if (isTouched) node.dataset.touchd = "v" + ++count;
  if (text) node.textContent = text;
  return node;
}
const box = (w = 1000, h = 1000, size = 260) =>
  `position:absolute;left:${int(-20, w - 60)}px;top:${int(-20, h - 60)}px;width:${int(30, size)}px;height:${int(30, size)}px;background:${color()};`;
const order = () => chance(0.3) ? `z-index:${int(-1, 4)};` : "";

const kinds = {
  button: (to) => to.append(element(pick("button", "div", "a"), box() + order(), true, "button")),
  cover: (to) => to.append(element("div", box(1000, 1000, 400) + order(), false)),
  nested(to) {
    const outer = element("div", box() + order(), chance(0.8));
    if (chance(0.3)) outer.dataset.touchdGestures = "pan";
    for (let n = int(1, 3); n--;) outer.append(element("button", box(200, 200, 120) + order(), chance(0.8)));
    to.append(outer);
  },
  hiddenCover(to) {
    const outer = element("div", box(1000, 1000, 500) + order() + pick("pointer-events:none;", "visibility:hidden;", "opacity:0;"), chance(0.4));
    outer.append(element("button", box(200, 200, 120) + pick("", "pointer-events:auto;", "visibility:visible;"), true));
    to.append(outer);
  },
  inert(to) {
    const outer = element("div", box() + order(), chance(0.5));
    outer.inert = true;
    outer.append(element("button", box(150, 150, 120), true));
    to.append(outer);
  },
  scroller(to) {
    const outer = element("div", box(800, 800, 320) + `overflow:${pick("auto", "hidden", "clip", "visible")};`, chance(0.4));
    if (chance(0.5)) outer.dataset.touchdGestures = "pan";
    for (let n = 0; n < 8; n++) outer.append(element("button", `display:block;width:90%;height:${int(30, 70)}px;margin:4px;`, chance(0.9), "row " + n));
    // It is not clipped by a scroller that is not positioned.
    if (chance(0.3)) {
      outer.style.position = "static";
      outer.append(element("button", box(), true, "not clipped"));
    }
    to.append(outer);
    outer.scrollTop = int(0, 150);
  },
  inline(to) {
    const outer = element("p", `position:absolute;left:${int(0, 600)}px;top:${int(0, 900)}px;width:${int(120, 320)}px;background:${color()};margin:0;` + order(), chance(0.2));
    outer.append("Some words before ", element("a", "", true, "a link that goes over two or three lines of text"), " and after it ");
    outer.querySelector("a").href = "#";
    to.append(outer);
  },
  clipped(to) {
    const outer = element("div", box() + order() + `clip-path:${pick("inset(20% 10% 0 30%)", "inset(0 0 60% 0)", "inset(10px)")};`, chance(0.3));
    outer.append(element("button", box(150, 150, 200), true));
    to.append(outer);
  },
  scaled(to) {
    const outer = element("div", box() + order() + `transform:${pick("scale(0.7)", "rotate(90deg)", "scale(1.3, 0.8)", "translate(30px, -20px)")};`, chance(0.7));
    outer.append(element("button", box(100, 100, 80), true));
    to.append(outer);
  },
  fixed(to) {
    to.append(element("header", `position:fixed;left:0;right:0;${pick("top", "bottom")}:0;height:${int(40, 120)}px;background:${color()};z-index:5;`, chance(0.2)));
    to.lastChild.append(element("button", `position:absolute;left:${int(0, 800)}px;top:10px;width:120px;height:${int(20, 160)}px`, true));
  },
  shadow(to) {
    const host = element("div", box() + order(), chance(0.5)), root = host.attachShadow({ mode: "open" });
    root.append(element("div", box(150, 150, 120), chance(0.6)), element("slot", "", false));
    if (chance(0.5)) host.append(element("button", box(150, 150, 120), true));
    to.append(host);
  },
  dialog(to) {
    const dialog = element("dialog", "width:400px;height:300px;", chance(0.2));
    dialog.append(element("button", "width:200px;height:80px", true, "yes"), element("button", "width:200px;height:80px", true, "no"));
    to.append(dialog);
    chance(0.5) ? dialog.showModal() : dialog.show();
  },
  moved(to) {
    const list = element("div", `position:absolute;left:${int(0, 600)}px;top:${int(0, 600)}px;width:200px;`, false);
    const first = element("div", "height:10px;transition:height 0.1s;background:#ddd;", false);
    list.append(first);
    for (let n = 0; n < 4; n++) list.append(element("button", "display:block;width:100%;height:50px;", true));
    to.append(list);
    moves.push(() => first.style.height = int(50, 200) + "px");
  },
  grid(to) {
    const grid = element("div", `position:absolute;left:${int(0, 500)}px;top:${int(0, 500)}px;width:400px;display:grid;grid-template-columns:repeat(4,1fr);gap:${int(0, 8)}px;` + order(), chance(0.2));
    for (let n = 0; n < 12; n++) {
      grid.append(element("button", "height:50px;", true));
      grid.lastChild.append(element("span", "padding:4px", false, "key"));
    }
    to.append(grid);
  },
};
const oddKinds = {
  rotated(to) {
    const outer = element("div", box() + order() + `transform:rotate(${int(-80, 80)}deg)${pick("", " skewX(15deg)")};`, chance(0.8));
    outer.append(element("button", box(100, 100, 80), true));
    to.append(outer);
  },
  round: (to) => to.append(element("button", box() + order() + `border-radius:${pick("8px", "24px", "50%", "40px 0 40px 0", "30px / 10px")};`, true)),
  roundClip(to) {
    const outer = element("div", box() + order() + "overflow:hidden;border-radius:40px;", chance(0.3));
    outer.append(element("button", "width:100%;height:100%;border:0;margin:0", true));
    to.append(outer);
  },
  circleClip: (to) => to.append(element("button", box() + order() + `clip-path:${pick("circle(40%)", "polygon(50% 0, 100% 100%, 0 100%)")};`, true)),
  shapes(to) {
    const outer = element("div", box(700, 700, 300), chance(0.3));
    outer.innerHTML = `<svg width="250" height="250" viewBox="0 0 100 100"><g><circle cx="30" cy="30" r="25" fill="red"/><path d="M60 10 L95 50 L60 90 Z" fill="blue"/><rect x="5" y="60" width="40" height="30" fill="green"/><polygon points="50,50 60,60 50,70 40,60" fill="#fff"/></g></svg>`;
    for (const shape of outer.querySelectorAll("circle, path, rect, polygon")) if (chance(0.8)) shape.dataset.touchd = "v" + ++count;
    to.append(outer);
  },
};
const moves = [];
document.body.style.cssText = "margin:0;font:16px sans-serif;height:1000px;overflow:hidden";
const main = element("main", chance(0.5) ? "position:relative;height:1000px" : "position:absolute;inset:0", chance(0.1));
document.body.append(main);
const all = Object.entries(isOdd ? { ...kinds, ...oddKinds } : kinds), only = parameters.get("only");
for (let n = int(4, 12); n--;) {
  const [name, make] = pick(...(only ? all.filter(([name]) => only.split(",").includes(name)) : all.filter(([name]) => name !== "dialog" || chance(0.15))));
  make(main);
}
if (only) kinds.button(main);

// What the browser would hit: the rule that touchd must follow.
window.rule = (x, y) => {
  let node = document.elementFromPoint(x, y);
  for (let inner; (inner = node?.shadowRoot?.elementFromPoint(x, y)) && inner !== node;) node = inner;
  while (node && node.dataset?.touchd == null) node = node.parentElement ?? node.getRootNode().host;
  return node?.dataset.touchd ?? null;
};
// Points of pixels, without those at an edge.
window.points = () => {
  const list = [];
  while (list.length < 60) {
    const x = int(1, 998), y = int(1, 998), name = rule(x, y);
    if ([[-1, 0], [1, 0], [0, -1], [0, 1]].every(([dx, dy]) => rule(x + dx, y + dy) === name)) list.push([x, y, name]);
  }
  return list;
};
