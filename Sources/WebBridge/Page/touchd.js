// Publishes elements with data-touchd as views of touchd and dispatches touchd's events on them. See docs/web.md.
(() => {
"use strict";
if (top !== window) throw Error("touchd.js works in the page that fills the screen, not in a frame");
const doc = document, { src, dataset: { slot = "page", token, click } } = doc.currentScript;
const button = "button, a[href], summary, [role=button], input:is([type=button], [type=submit], [type=reset])";
const toggle = "input[type=checkbox], [role=switch]";
const { min, max, round } = Math;
let socket, size, isBusy, isStale, isScheduled, retry = 250, number = 0;
let last = {}; // what touchd was sent
let elements = new Map(); // published, by id
const waiting = new Map(); // requests without an answer, by number
const live = new Map(); // what has begun and not ended
const names = new Map();

const emit = (target, name, detail) =>
  target.dispatchEvent(new CustomEvent("touchd:" + name, { bubbles: true, detail }));

const request = (message) => new Promise((resolve, reject) => {
  if (socket.readyState !== 1) return reject(Error("touchd is not connected"));
  waiting.set(++number, { resolve, reject });
  socket.send(JSON.stringify({ ...message, id: number }));
});

const report = ({ message, views = [] }) => {
  console.error("touchd: " + message);
  emit(doc, "error", { message, views });
};

// The page is assumed to fill its slot.
async function begin() {
  size = (await request({ request: "layout" })).slots.find((one) => one.slot === slot);
  if (!size) throw Error(`the layout has no slot '${slot}'`);
  last = {};
  dirty();
}

function connect() {
  socket = new WebSocket(new URL("/events", src.replace("http", "ws")), token ? ["touchd", "touchd.token." + token] : []);
  socket.onopen = async () => {
    try {
      const to = ["touches", "gestures", "controls", "pages", "idle", "published"];
      await request({ request: "subscribe", to, moves: true });
      retry = 250;
      touchd.connected = true;
      emit(doc, "connected");
      await begin();
    } catch (error) {
      report(error);
    }
  };
  socket.onmessage = ({ data }) => receive(JSON.parse(data));
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(Error("touchd has closed the connection"));
    waiting.clear();
    endAll();
    size = null;
    if (touchd.connected) emit(doc, "disconnected");
    touchd.connected = false;
    setTimeout(connect, retry);
    retry = min(2 * retry, 5000);
  };
}

// Boxes are left, top, right, bottom in CSS pixels of the window.
const cut = ([a, b, c, d], [e, f, g, h]) => [max(a, e), max(b, f), min(c, g), min(d, h)];
const box = (element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return [left, top, right, bottom];
};

// The visible part of an element; nothing if something covers its middle and its corners.
function visible(element) {
  if (element.checkVisibility?.({ visibilityProperty: true }) === false) return;
  let part = cut(box(element), [0, 0, innerWidth, innerHeight]);
  for (let outer = element; outer !== doc.body && getComputedStyle(outer).position !== "fixed";) {
    outer = outer.parentElement;
    if (!outer) break;
    if (outer !== doc.body && getComputedStyle(outer).overflow !== "visible") part = cut(part, box(outer));
  }
  const [left, top, right, bottom] = part, width = right - left, height = bottom - top;
  return width >= 1 && height >= 1 && [[.5, .5], [.1, .1], [.9, .1], [.1, .9], [.9, .9]].some(([x, y]) => {
    const hit = doc.elementFromPoint(left + x * width, top + y * height);
    return !hit || element.contains(hit) || hit.contains(element);
  }) && part;
}

const words = (text) => text.trim().split(/\s+/).map((word) => word.split(":"));

function collect() {
  const x = size.width / innerWidth, y = size.height / innerHeight;
  const views = [], frames = {}, made = new Map();
  elements = new Map();
  for (const element of doc.querySelectorAll("[data-touchd]")) {
    if (!names.has(element)) {
      names.set(element, "view-" + ++number);
      resizes.observe(element);
      crossings.observe(element);
    }
    const part = visible(element);
    if (!part) continue;
    let outer = element;
    do outer = outer.parentElement; while (outer && !made.has(outer));
    const [parent, [left, top]] = made.get(outer) ?? [0, [0, 0]];
    const { touchd, touchdControl, touchdGestures = "", touchdOn, touchdSlop, touchdPrivate } = element.dataset;
    const id = touchd || element.id || names.get(element);
    const frame = [(part[0] - left) * x, (part[1] - top) * y, (part[2] - part[0]) * x, (part[3] - part[1]) * y];
    const view = { id, frame: frames[id] = frame.map((value) => round(value * 100) / 100) };
    const kind = touchdControl ?? (element.matches(button) ? "button" : element.matches(toggle) && "toggle");
    if (kind === "toggle") view.control = { toggle: { on: element.checked ?? element.ariaChecked === "true" } };
    else if (kind && kind !== "none") view.control = kind;
    if (touchdGestures) view.gestures = words(touchdGestures).map(([name, value]) =>
      value ? { [name]: isNaN(value) ? value : { taps: +value } } : name);
    if (/pinch|rotation/.test(touchdGestures)) view["multiple-touch"] = true;
    if (touchdOn) view.on = Object.fromEntries(words(touchdOn));
    if (touchdSlop) view.slop = touchdSlop * x;
    if (touchdPrivate != null) view.private = true;
    if (getComputedStyle(element).borderRadius === "50%") view.shape = "ellipse";
    if (element.matches(":disabled, [aria-disabled=true]")) view.enabled = false;
    (parent ? parent.views ??= [] : views).push(view);
    made.set(element, [view, part]);
    elements.set(id, element);
  }
  return [views, frames];
}

async function publish() {
  if (!size) return;
  if (isBusy) return isStale = true;
  const [views, frames] = collect();
  const shape = JSON.stringify(views, (key, value) => key === "frame" ? 0 : value);
  const moved = Object.entries(frames).filter(([id, frame]) => `${last.frames?.[id]}` !== `${frame}`);
  const isMove = shape === last.shape;
  if (isMove && !moved.length) return;
  last = { shape, frames };
  isBusy = true;
  try {
    await request(isMove ? { request: "move", frames: Object.fromEntries(moved) }
      : { request: "views", slot, publisher: location.origin + location.pathname, views });
  } catch (error) {
    if (isMove) last = {};
    if (touchd.connected) report(error);
  }
  isBusy = false;
  if (isStale) dirty();
  isStale = false;
}

function dirty() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    publish();
    // Nothing else reports that an animation moves an element.
    if (doc.getAnimations().some(({ playState, effect }) => playState === "running"
      && [...elements.values()].some((element) => effect.target?.contains(element)))) dirty();
  });
}

function receive({ event, ...message }) {
  const { view, id = "", phase, control, gesture, trigger: state, change, error } = message;
  if (!event) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(Object.assign(Error(), error));
    else resolve(message.result);
  } else if (event === "touch") {
    fire(phase, message, "touch" + message.touch, /ended|cancelled/.test(phase), "cancelled");
  } else if (event === "control") {
    fire(control, message, /held|released/.test(control) && "held" + view, control === "released", "released");
  } else if (event === "gesture") {
    fire(gesture, { ...message, state }, gesture + id + view, !/began|changed/.test(state), gesture);
  } else if (event === "slot") {
    endAll();
    size = change === "resized" && message;
    if (size) dirty();
    else if (change === "taken") report({ message: "another page has taken the slot; reload this page to take it back" });
    else begin().catch(report);
  } else if (event === "dropped") endAll();
  else emit(doc, event === "idle" ? state : event, message);
}

function fire(name, { view, trigger, phase, control, gesture, ...detail }, key, isOver, end) {
  const element = live.get(key)?.[0] ?? elements.get(view);
  if (isOver) live.delete(key);
  if (!element || !size) return;
  // Points of the screen become CSS pixels of the window.
  const x = innerWidth / size.width, y = innerHeight / size.height, pair = (value) => value?.map?.((one, i) => one * [x, y][i]);
  if ("x" in detail) [detail.x, detail.y] = pair([detail.x - size.x, detail.y - size.y]);
  for (const key of ["translation", "velocity"]) detail[key] = pair(detail[key]) ?? detail[key];
  if (key && !isOver) live.set(key, [element, end, detail]);
  emit(element, name, detail);
  if (name === "pressed" && click != null) element.click();
}

// Each touch, press and gesture that began ends for the page too, exactly once.
function endAll() {
  for (const [key, [element, name, detail]] of live) {
    live.delete(key);
    emit(element, name, { ...detail, state: detail.state && "cancelled" });
  }
}

const resizes = new ResizeObserver(dirty), crossings = new IntersectionObserver(dirty, { threshold: [0, .5, 1] });
resizes.observe(doc.documentElement);
new MutationObserver(dirty).observe(doc, { subtree: true, childList: true, attributes: true, characterData: true });
for (const name of ["scroll", "load", "transitionrun", "animationstart", "animationend", "change", "input", "resize"])
  addEventListener(name, dirty, true);
const touchd = window.touchd = { connected: false, request };
connect();
})();
