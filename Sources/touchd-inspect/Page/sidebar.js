// The panel beside the picture: touches, hit-test results and devices, in words.

import {direction, element, mapped, unitPlace} from "./drawing.js";

const $ = (id) => document.getElementById(id);

export function node(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Explains whether the program that draws received a touch. */
const forwardedWords = {
  "yes": "yes",
  "delayed": "not yet: a gesture delays it",
  "cancelled": "yes, then cancelled",
  "no: view": "no: its view has forward: false",
  "no: gesture": "no: a gesture recognized it",
  "no: idle": "no: it ended an idle time with forward: false",
  "no: cooldown": "no: it began within the cooldown",
  "no: not-grabbed": "by the panel itself, which was not grabbed when the touch began",
  "no: cancelled": "no: it was cancelled before its gestures had decided",
  "no: slots": "no: all slots of the virtual touchscreen were in use",
};

function list(items) {
  const made = node("ol");
  made.append(...items.map((item) => node("li", item)));
  return made;
}

/** Joins equal neighbors: three moves of one handler become one line with "×3". */
function grouped(lines) {
  const groups = [];
  for (const line of lines) {
    if (groups.at(-1)?.line === line) groups.at(-1).count += 1;
    else groups.push({line, count: 1});
  }
  return groups.map(({line, count}) => count === 1 ? line : `${line} ×${count}`);
}

/** Creates table rows whose first cell is a heading. */
function table(caption, heads, rows) {
  const made = node("table");
  made.append(node("caption", caption));
  const head = node("tr");
  head.append(...heads.map((text) => node("th", text, {scope: "col"})));
  const body = rows.map((cells) => {
    const row = node("tr");
    row.append(...cells.map((text, index) => index === 0 ? node("th", text, {scope: "row"}) : node("td", text)));
    return row;
  });
  const thead = node("thead"), tbody = node("tbody");
  thead.append(head);
  tbody.append(...body);
  made.append(thead, tbody);
  return made;
}

/** Shows the list of touches and the details of the selected one. */
export function showTouches(moment, touches, chosen, choose) {
  const box = $("touches");
  const wanted = touches.map((touch) => `${touch.number}`);
  // Buttons are reused to keep the keyboard focus.
  for (const button of [...box.children]) if (!wanted.includes(button.dataset.touch)) button.remove();
  touches.forEach((touch, index) => {
    let button = box.querySelector(`[data-touch="${touch.number}"]`);
    if (!button) {
      button = node("button", "", {type: "button", "data-touch": touch.number});
      button.addEventListener("click", () => choose(touch.number));
      box.insertBefore(button, box.children[index] ?? null);
    }
    button.textContent = `Touch ${touch.number} ${touch.phase}`;
    button.setAttribute("aria-pressed", touch.number === chosen);
  });
  const touch = moment.touches.get(chosen);
  if (!touch) {
    if (!$("touch").querySelector(".empty")) $("touch").replaceChildren(node("p", "The screen is not touched.", {class: "empty"}));
    return;
  }
  const facts = node("dl");
  const fact = (name, value) => facts.append(node("dt", name), node("dd", value, {"data-fact": name.toLowerCase()}));
  fact("View", touch.view ?? "no view with an id");
  if (touch.path.length > 1) fact("In", touch.path.slice(touch.view === touch.path[0] ? 1 : 0).join(", "));
  fact("Phase", touch.phase);
  fact("Position", touch.x === undefined ? "hidden, because the view is private" : `${touch.x}, ${touch.y}`);
  if (touch.raw) fact("Raw", touch.raw.join(", "));
  if (touch.forwarded) fact("Forwarded", forwardedWords[touch.forwarded] ?? touch.forwarded);
  const parts = [facts];
  const recognizers = touch.recognizers.map((number) => moment.recognizers.get(number)).filter(Boolean);
  if (recognizers.length > 0) {
    parts.push(table("Recognizers", ["Gesture", "View", "State", "State history"], recognizers.map((recognizer) => [
      recognizer.id ?? recognizer.gesture, recognizer.view ?? "", recognizer.state,
      recognizer.changes.map((change) => change.to).join(" → "),
    ])));
  }
  parts.push(node("h3", "Handlers that ran"), touch.handlers.length > 0
    ? list(grouped(touch.handlers.map((handler) => `${handler.name} (${handler.phase})`))) : node("p", "None."));
  parts.push(node("h3", "Responder chain"), list(touch.responders));
  $("touch").replaceChildren(...parts);
}

function milliseconds(seconds) { return `${(seconds * 1000).toFixed(2)} ms`; }

/** Shows the delays. */
export function showFlow(moment, status) {
  const rows = [["Queue", `${moment.queue.frames} frames`], ["Oldest waits", milliseconds(moment.queue.age)]];
  if (moment.latency !== null) rows.push(["Last event, kernel to end", milliseconds(moment.latency)]);
  if (status) {
    rows.push(
      ["Kernel to handler, median", milliseconds(status.latency.p50)], ["99th percentile", milliseconds(status.latency.p99)],
      ["Longest", milliseconds(status.latency.longest)], ["Touches a minute", `${status.touches.perMinute}`]);
  }
  if (moment.dropped > 0) rows.push(["Moves dropped, page too slow", `${moment.dropped}`]);
  $("flow").replaceChildren(...rows.flatMap(([name, value]) => [node("dt", name), node("dd", value)]));
}

/** Shows the devices and the meaning of their units. */
export function showDevices(overview) {
  $("devices").replaceChildren(...overview.devices.map((device) => {
    const box = node("section", undefined, {class: "device"});
    box.append(node("h3", device.name));
    const facts = node("dl");
    const fact = (name, value) => facts.append(node("dt", name), node("dd", value));
    fact("Node", device.path);
    fact("Is", device.touchProtocol ? `${device.kind}, ${device.touchProtocol}` : device.kind);
    fact("Use", device.reason ? `${device.use}: ${device.reason}` : device.use);
    if (device.forward) fact("Forwarded", device.forwardRemark ? `${device.forward} ${device.forwardRemark}` : `as ${device.forward}`);
    else if (device.forwardRemark) fact("Forwarded", `no: ${device.forwardRemark}`);
    if (device.x && device.y) {
      fact("Raw x", `${device.x.minimum} to ${device.x.maximum}`);
      fact("Raw y", `${device.y.minimum} to ${device.y.maximum}`);
      fact("On the screen", `raw x runs ${direction(device, 1, 0)}, raw y runs ${direction(device, 0, 1)}`);
      fact("Matrix", device.matrix.join(" "));
    }
    box.append(facts);
    if (device.x && device.y) box.append(rawPicture(device, overview.screens));
    return box;
  }));
  if (overview.devices.length === 0) $("devices").replaceChildren(node("p", "No device."));
}

/** Draws two rectangles: the device's own units, and their position on the screen. */
function rawPicture(device, screens) {
  const screen = screens.find((screen) => (screen.name ?? null) === (device.screen ?? null)) ?? screens[0];
  const spanX = Math.abs(device.x.maximum - device.x.minimum) + 1, spanY = Math.abs(device.y.maximum - device.y.minimum) + 1;
  const fit = (width, height) => { const scale = 120 / Math.max(width, height); return [width * scale, height * scale]; };
  const [rawWidth, rawHeight] = fit(spanX, spanY), [width, height] = screen ? fit(screen.width, screen.height) : [120, 120];
  const picture = element("svg", {
    viewBox: `-4 -18 276 ${Math.max(rawHeight, height) + 24}`, class: "raw", role: "img", "data-source": device.source,
    "aria-label": `Raw x runs ${direction(device, 1, 0)} on the screen, raw y runs ${direction(device, 0, 1)}`,
  });
  const caption = (x, text) => { const label = element("text", {x, y: -5, class: "caption"}); label.textContent = text; return label; };
  const at = (u, v) => { const point = mapped(device, u, v); return [148 + point.x * width, point.y * height]; };
  const line = (from, to, kind) => element("line", {x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: kind});
  picture.append(
    caption(0, "raw"), caption(148, "screen"),
    element("rect", {width: rawWidth, height: rawHeight, class: "frame"}), element("rect", {x: 148, width, height, class: "frame"}),
    element("polygon", {points: [[0, 0], [1, 0], [1, 1], [0, 1]].map(([u, v]) => at(u, v).join(",")).join(" "), class: "surface"}),
    line([6, 6], [rawWidth * 0.6, 6], "raw-x"), line([6, 6], [6, rawHeight * 0.6], "raw-y"),
    line(at(0.05, 0.05), at(0.6, 0.05), "raw-x"), line(at(0.05, 0.05), at(0.05, 0.6), "raw-y"),
    element("circle", {r: 4, class: "corner", cx: 6, cy: 6}), element("circle", {r: 4, class: "corner", cx: at(0.05, 0.05)[0], cy: at(0.05, 0.05)[1]}),
    element("g", {class: "points"}));
  return picture;
}

/** Draws the touches into the pictures of their devices. */
export function showRaw(moment, devices) {
  for (const picture of document.querySelectorAll("svg.raw")) {
    const device = devices.find((device) => `${device.source}` === picture.dataset.source);
    const touches = moment.visible.filter((touch) => touch.source === device?.source && touch.raw && touch.over === null);
    picture.querySelector(".points").replaceChildren(...touches.flatMap((touch) => {
      const [u, v] = unitPlace(device, touch.raw);
      const frames = picture.querySelectorAll(".frame"), point = mapped(device, u, v);
      return [
        element("circle", {r: 5, class: "point", cx: u * frames[0].getAttribute("width"), cy: v * frames[0].getAttribute("height")}),
        element("circle", {r: 5, class: "point", cx: 148 + point.x * frames[1].getAttribute("width"), cy: point.y * frames[1].getAttribute("height")}),
      ];
    }));
  }
}

function publisher(visit) { return visit.publisher ? ` (published by ${visit.publisher})` : ""; }

/** Shows which view would receive a touch, and why. */
export function showAnswer(answer) {
  const lead = node("p", answer.view ? `${answer.view} takes it.` : answer.path.length > 0 ? `A view without id in ${answer.path[0]} takes it.` : "No view with an id takes it.", {class: "lead"});
  const near = answer.visits.filter((visit) => visit.outcome !== "outside");
  const box = $("answer");
  box.replaceChildren(lead, node("h3", "Hit-tested, front to back"), list(near.map((visit) => `${visit.view}${publisher(visit)} ${visit.reason}`)));
  const away = answer.visits.length - near.length;
  if (away > 0) box.append(node("p", `${away} more ${away === 1 ? "does" : "do"} not contain the point.`));
  if (answer.recognizers.length > 0) {
    box.append(node("h3", "Gestures that receive the touch"), list(answer.recognizers.map((recognizer) => `${recognizer.gesture} of ${recognizer.view}${recognizer.isEnabled ? "" : ", disabled"}`)));
  }
  box.append(node("h3", "Responder chain"), list(answer.responders));
  box.append(node("h3", "Handlers that can run"), answer.handlers.length > 0
    ? list(answer.handlers.map((handler) => `${handler.trigger} at ${handler.at}: ${handler.handler}`)) : node("p", "None."));
  box.dataset.json = JSON.stringify(answer);
}
