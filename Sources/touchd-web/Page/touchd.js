// Publishes elements with data-touchd as views of touchd and dispatches touchd's events on them. Every touch,
// press and gesture that began ends, also when the connection does. docs/web.md describes the attributes.
(() => {
if (top !== window) throw Error("touchd.js works in no frame");
const doc = document, { src, dataset: { slot = "page", token, click } } = doc.currentScript;
const button = "button, a[href], [role=button], [type=button], [type=submit]";
const live = new Map();
const waiting = new Map(), observed = new WeakSet();
const to = ["touches", "gestures", "controls", "pages", "idle", "published"];
let socket, size, isBusy, isDue, number = 0, last = {}, elements = new Map();

const emit = (target, name, detail) =>
  target.dispatchEvent(new CustomEvent("touchd:" + name, { bubbles: true, detail }));

const request = (message) => new Promise((resolve, reject) => {
  if (socket.readyState !== 1) return reject(Error("touchd is not connected"));
  waiting.set(++number, { resolve, reject });
  socket.send(JSON.stringify({ ...message, id: number }));
});

const report = (error) => emit(doc, "error", error) && console.error(error);

async function begin() {
  size = (await request({ request: "layout" })).slots.find((one) => one.slot === slot);
  if (!size) throw Error(`the layout has no slot '${slot}'`);
  last = {};
  dirty();
}

function connect() {
  socket = new WebSocket(new URL("/events", src.replace("http", "ws")), token ? ["touchd", "touchd.token." + token] : []);
  socket.onopen = () => request({ request: "subscribe", to, moves: true }).then(() => {
    touchd.connected = true;
    emit(doc, "connected");
    return begin();
  }).catch(report);
  socket.onmessage = ({ data }) => receive(JSON.parse(data));
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(Error("touchd is not connected"));
    waiting.clear();
    endAll();
    size = null;
    if (touchd.connected) emit(doc, "disconnected");
    touchd.connected = false;
    setTimeout(connect, 1000);
  };
}

const cut = (a, b) => a.map((value, i) => Math[i < 2 ? "max" : "min"](value, b[i]));
const box = (node) => ["left", "top", "right", "bottom"].map((side) => node.getBoundingClientRect()[side]);

// The visible part of an element; nothing if something covers its middle and its corners.
function visible(node) {
  if (node.checkVisibility?.({ visibilityProperty: true }) === false) return;
  let part = cut(box(node), [0, 0, innerWidth, innerHeight]), style = getComputedStyle(node);
  for (let outer = node.parentElement; style.position !== "fixed" && outer !== doc.body; outer = outer.parentElement) {
    style = getComputedStyle(outer);
    if (style.overflow !== "visible") part = cut(part, box(outer));
  }
  const [left, top, right, bottom] = part;
  return right - left >= 1 && bottom - top >= 1 && [[5, 5], [1, 1], [9, 1], [1, 9], [9, 9]].some(([x, y]) => {
    const hit = doc.elementFromPoint((left * (10 - x) + right * x) / 10, (top * (10 - y) + bottom * y) / 10);
    return !hit || node.contains(hit) || hit.contains(node);
  }) && part;
}

const words = (text) => text?.trim().split(/\s+/).map((word) => word.split(":"));

function collect() {
  const scale = [size.width / innerWidth, size.height / innerHeight], root = { views: [] }, frames = {}, made = new Map();
  elements = new Map();
  for (const node of doc.querySelectorAll("body [data-touchd]")) {
    if (!observed.has(node)) {
      observed.add(node);
      resizes.observe(node);
      seen.observe(node);
    }
    const part = visible(node);
    if (!part) continue;
    let outer = node.parentElement;
    while (outer && !made.has(outer)) outer = outer.parentElement;
    const [parent, [left, top]] = made.get(outer) ?? [root, [0, 0]];
    const { touchd, touchdControl, touchdGestures, touchdOn, touchdPrivate } = node.dataset;
    const id = touchd || (node.id ||= "touchd-" + ++number);
    const kind = touchdControl
      ?? (node.matches(button) ? "button" : node.matches("[type=checkbox]") ? "toggle" : "");
    const view = {
      id,
      frame: frames[id] = [part[0] - left, part[1] - top, part[2] - part[0], part[3] - part[1]]
        .map((value, i) => +(value * scale[i % 2]).toFixed(2)),
      control: kind === "toggle" ? { toggle: { on: !!node.checked } } : kind || undefined,
      gestures: words(touchdGestures)?.map(([name, value]) => value ? { [name]: value } : name),
      "multiple-touch": touchdGestures ? true : undefined,
      on: touchdOn && Object.fromEntries(words(touchdOn)),
      private: touchdPrivate != null || undefined,
      enabled: node.matches(":disabled, [aria-disabled=true]") ? false : undefined,
    };
    (parent.views ??= []).push(view);
    made.set(node, [view, part]);
    elements.set(id, node);
  }
  return [root.views, frames];
}

async function publish() {
  if (!size || isBusy) return;
  const [views, frames] = collect(), shape = JSON.stringify(views, (key, value) => key === "frame" ? 0 : value);
  const isSame = shape === last.shape, place = JSON.stringify(frames);
  if (isSame && place === last.place) return;
  last = { shape, place };
  isBusy = true;
  try {
    const { refused } = await request(isSame ? { request: "move", frames }
      : { request: "views", slot, publisher: location.href, views }) ?? {};
    if (refused) report(Object.assign(Error(refused.map((one) => one.message).join("\n")), { views: refused }));
  } catch (error) {
    if (isSame) last = {};
    if (touchd.connected) report(error);
  }
  isBusy = false;
  dirty();
}

function dirty() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    publish();
    // No observer reports that an animation moves an element.
    if (doc.getAnimations().some(({ playState, effect }) => playState === "running"
      && [...elements.values()].some((node) => effect.target?.contains(node)))) dirty();
  });
}

function receive({ event, ...message }) {
  const { view, id = "", phase, control, gesture, trigger, change, error, ...detail } = message;
  const name = phase ?? control ?? gesture;
  if (!event) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    error ? reject(Object.assign(Error(), error)) : resolve(message.result);
  } else if (name) {
    const key = phase ? "touch" + detail.touch : gesture ? gesture + id + view : /held|released/.test(control) && view;
    const isOver = /ended|cancelled|released|recognized/.test(phase ?? control ?? trigger);
    const node = live.get(key)?.[0] ?? elements.get(view);
    if (isOver) live.delete(key);
    if (!node || !size) return;
    // Points of the screen become CSS pixels of the window.
    const scale = [innerWidth / size.width, innerHeight / size.height], pair = (pair) => pair.map((one, i) => one * scale[i]);
    if ("x" in detail) [detail.x, detail.y] = pair([detail.x - size.x, detail.y - size.y]);
    for (const key of ["translation", "velocity"]) if (detail[key]?.map) detail[key] = pair(detail[key]);
    if (gesture) Object.assign(detail, { id, state: trigger });
    if (key && !isOver) live.set(key, [node, phase ? "cancelled" : gesture ?? "released", detail]);
    emit(node, name, detail);
    if (name === "pressed" && click != null) node.click();
  } else if (event === "slot") {
    endAll();
    size = change === "resized" && message;
    if (size) dirty();
    else if (change === "emptied") begin().catch(report);
    else report(Error("another page took the slot"));
  } else if (event === "dropped") endAll();
  else emit(doc, event === "idle" ? trigger : event, message);
}

function endAll() {
  for (const [key, [node, name, detail]] of live) {
    live.delete(key);
    emit(node, name, { ...detail, state: detail.state && "cancelled" });
  }
}

const resizes = new ResizeObserver(dirty), seen = new IntersectionObserver(dirty);
resizes.observe(doc.documentElement);
new MutationObserver(dirty).observe(doc, { subtree: true, childList: true, attributes: true, characterData: true });
for (const name of ["scroll", "load", "change", "resize"]) addEventListener(name, dirty, true);
const touchd = window.touchd = { connected: false, request };
connect();
})();
