// The page: asks the inspector, shows what it tells, and asks back.

import {ask, events, takeToken} from "./connection.js";
import {drawDay, showSources, startDay} from "./day.js";
import {Drawing, everyView, shownViews} from "./drawing.js";
import {Moment, momentAfter} from "./moment.js";
import {node, showAnswer, showDevices, showFlow, showRaw, showTouches} from "./panel.js";
import {Trial} from "./trial.js";

const $ = (id) => document.getElementById(id);
const drawing = new Drawing($("stage"));
const trial = new Trial();

let overview = null;
let moment = new Moment();
let records = [];
let position = 0;          // how many records of a recording are shown
let chosen = null;         // the touch that is looked at
let isPinned = false;      // whether it was chosen by hand
let cross = null;
let isDrawingDue = false;
let playing = null;

// --- What is there

async function loadOverview() {
  overview = await ask("/api/overview");
  $("source").textContent = overview.mode === "live" ? `Running touchd at ${overview.source}` : `Recording ${overview.source}`;
  say("problem", overview.problems.join(" "));
  if (overview.mode === "live") {
    moment.pages = overview.screens.flatMap((screen) => screen.page ? [screen.page] : []);
    moment.views = new Map(overview.views.map((view) => [view.view, view]));
  }
  document.body.dataset.mode = overview.mode;
  showChoices();
  drawLayout();
  showDevices(overview);
  showSources(overview);
  showFlow(moment, overview.status);
}

function say(id, text) {
  $(id).textContent = text;
  $(id).hidden = text === "";
}

function screen() { return overview.screens[$("screen").selectedIndex] ?? overview.screens[0]; }

/** The page that is chosen, or with "as touchd" the one that is shown at the moment. */
function page() {
  if ($("page").value !== "") return $("page").value;
  const names = new Set((overview.layout?.pages ?? []).filter((page) => (page.screen ?? overview.layout.screens[0].name) === screen().name).map((page) => page.name));
  return moment.pages.find((name) => names.has(name)) ?? screen().page;
}

function showChoices() {
  const screens = overview.screens.map((screen, index) => new Option(screen.name ?? `screen ${index + 1}`));
  const before = $("screen").selectedIndex;
  $("screen").replaceChildren(...screens);
  $("screen").selectedIndex = Math.max(0, Math.min(before, screens.length - 1));
  $("screen-choice").hidden = screens.length < 2;
  const pages = overview.layout?.pages ?? [];
  const kept = $("page").value;
  $("page").replaceChildren(new Option("as shown", ""), ...pages.map((page) => new Option(page.name, page.name)));
  $("page").value = pages.some((page) => page.name === kept) ? kept : "";
  $("page-choice").hidden = pages.length === 0;
}

// --- Drawing

let drawnViews = [];
let drawnKey = "";

function drawLayout() {
  if (!screen()) return;
  const views = overview.layout ? shownViews(overview.layout, screen(), page()) : [];
  drawing.draw(screen(), views, (view) => trial.now(view, moment.views));
  drawnViews = [...everyView(views)];
  drawnKey = layoutKey();
  drawing.drawCross(cross);
  $("stage").setAttribute("aria-label", `${screen().name ?? "Screen"}, ${screen().width} by ${screen().height} points` + (page() ? `, page ${page()}` : ""));
  const kept = $("view").value;
  $("view").replaceChildren(...drawnViews.map((view) => new Option(view.id ?? `at ${view.location}`, view.number)));
  if (drawnViews.some((view) => `${view.number}` === kept)) $("view").value = kept;
  showTrial();
  drawExtras();
}

/** What of the moment the layout's drawing depends on. */
function layoutKey() { return JSON.stringify([screen()?.name, page(), [...moment.views.values()]]); }

function drawExtras() {
  const device = overview.devices.find((device) => device.source === moment.touches.get(chosen)?.source) ??
    overview.devices.find((device) => device.kind === "touchscreen");
  drawing.drawAxes($("axes").checked ? device : null);
  const seen = seenHere();
  drawing.drawHeat($("heat").checked ? seen.cells : []);
  drawing.markDead($("dead").checked ? new Set(seen.dead.map((view) => view.number)) : new Set());
  drawDay(drawing, screen(), page(), overview.screens);
  $("stage").classList.toggle("without-names", !$("names").checked);
}

/** Draws soon, once, however much is told until the display is ready. */
function draw() {
  if (isDrawingDue) return;
  isDrawingDue = true;
  requestAnimationFrame(() => {
    isDrawingDue = false;
    if (!overview) return;
    if (layoutKey() !== drawnKey) drawLayout();
    const touches = moment.visible.filter((touch) => touch.screen === (screen()?.name ?? null) || overview.screens.length < 2);
    if (!isPinned || !moment.touches.has(chosen)) {
      isPinned = isPinned && moment.touches.has(chosen);
      chosen = touches.filter((touch) => touch.over === null).at(-1)?.number ?? touches.at(-1)?.number ?? null;
    }
    drawing.mark(new Set(touches.filter((touch) => touch.over === null || touch.number === chosen).map((touch) => touch.view).filter(Boolean)));
    drawing.drawTouches(touches, chosen, choose);
    showTouches(moment, touches, chosen, choose);
    showFlow(moment, overview.status);
    showRaw(moment, overview.devices);
    if ($("heat").checked || $("dead").checked) drawExtras();
    showSeen();
  });
}

function choose(number) {
  chosen = number;
  isPinned = true;
  draw();
}

// --- Where it was touched

const CELL = 32;

function seenHere() {
  const name = screen()?.name ?? null;
  const began = moment.began.filter((place) => place.screen === name || overview.screens.length < 2);
  const counts = new Map();
  for (const place of began) {
    const key = `${Math.floor(place.x / CELL)} ${Math.floor(place.y / CELL)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const cells = [...counts].map(([key, count]) => {
    const [column, row] = key.split(" ").map(Number);
    return {x: column * CELL, y: row * CELL, size: CELL, count};
  });
  const touched = new Set(moment.began.map((place) => place.view));
  const dead = drawnViews.filter((view) => view.id !== undefined && view.handlers.length > 0 && !view.private && !touched.has(view.id));
  return {cells, dead, count: began.length};
}

function showSeen() {
  if (!overview) return;
  const seen = seenHere();
  const since = overview.mode === "live" ? "since this page was opened" : "up to this moment of the recording";
  $("seen").replaceChildren(
    node("p", `${seen.count} touches began here ${since}.`),
    node("p", seen.dead.length > 0 ? `Not touched: ${seen.dead.map((view) => view.id).join(", ")}.` : "Every view that has something to do was touched."));
}

// --- What would take a touch

async function askHit(x, y) {
  cross = {x, y};
  $("ask-x").value = Math.round(x * 100) / 100;
  $("ask-y").value = Math.round(y * 100) / 100;
  drawing.drawCross(cross);
  const state = [...moment.views.values()];
  try {
    const answer = await ask("/api/hit", {
      x, y, screen: screen().name, page: page(), trial: {...trial.toJSON(), ...(overview.mode === "live" ? {} : {state})},
    });
    showAnswer(answer);
  } catch (error) {
    $("answer").replaceChildren(node("p", error.message));
  }
}

/** Where a pointer is, in points of the screen. */
function place(event, target = $("stage")) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(target.getScreenCTM().inverse());
  return {x: point.x, y: point.y};
}

// --- Trying a change

function triedView() { return drawnViews.find((view) => `${view.number}` === $("view").value); }

function showTrial() {
  const view = triedView();
  for (const input of $("change").elements) input.disabled = !view;
  if (!view) return;
  const now = trial.now(view, moment.views);
  $("trial-hidden").checked = now.hidden;
  $("trial-enabled").checked = now.enabled;
  ["x", "y", "width", "height"].forEach((name, index) => {
    if (document.activeElement !== $(`trial-${name}`)) $(`trial-${name}`).value = Math.round(now.frame[index] * 100) / 100;
  });
}

async function tryChange(change) {
  const view = triedView();
  if (!view) return;
  trial.change(view, change);
  drawLayout();
  draw();
  await showYAML();
  if (cross) await askHit(cross.x, cross.y);
}

async function showYAML() {
  try {
    $("yaml").value = trial.changes.size > 0 ? (await ask("/api/trial", trial.toJSON())).yaml : "";
  } catch (error) {
    $("yaml").value = `# ${error.message}`;
  }
}

function startDragging(event) {
  const view = triedView(), group = view && drawing.groups.get(view.number);
  if (!$("drag").checked || !group?.contains(event.target)) return false;
  const stage = $("stage"), from = place(event, group.parentNode), frame = [...trial.now(view, moment.views).frame];
  stage.setPointerCapture(event.pointerId);
  let last = frame;
  const move = (event) => {
    const to = place(event, group.parentNode);
    last = [Math.round(frame[0] + to.x - from.x), Math.round(frame[1] + to.y - from.y), frame[2], frame[3]];
    group.setAttribute("transform", `translate(${last[0]} ${last[1]})`);
  };
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", () => {
    stage.removeEventListener("pointermove", move);
    tryChange({frame: last});
  }, {once: true});
  return true;
}

// --- A recording's time

function goTo(index) {
  position = Math.max(0, Math.min(index, records.length));
  const initial = overview.screens.flatMap((screen) => screen.page ? [screen.page] : []);
  if (position > 0 && position === shownPosition + 1) moment.apply(records[position - 1]);
  else moment = momentAfter(records, position, initial);
  shownPosition = position;
  $("time").value = position;
  $("clock").textContent = `${moment.time.toFixed(3)} s of ${overview.duration.toFixed(3)} s, ${position} of ${records.length}`;
  $("time").setAttribute("aria-valuetext", $("clock").textContent);
  draw();
}
let shownPosition = -1;

function play() {
  if (playing) {
    clearTimeout(playing);
    playing = null;
  } else {
    if (position >= records.length) goTo(0);
    const step = () => {
      goTo(position + 1);
      if (position >= records.length) {
        playing = null;
        $("play").setAttribute("aria-pressed", "false");
        return;
      }
      playing = setTimeout(step, Math.min((records[position].time - moment.time) * 1000, 1000));
    };
    playing = setTimeout(step, 0);
  }
  $("play").setAttribute("aria-pressed", playing !== null);
}

// --- What touchd tells

async function follow() {
  while (true) {
    try {
      for await (const event of events()) await take(event);
    } catch (error) {
      $("connection").textContent = `Not connected: ${error.message}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

async function take(event) {
  switch (event.event) {
  case "inspection":
    moment.apply(event);
    draw();
    break;
  case "connected":
    $("connection").textContent = "Connected";
    await loadOverview();
    break;
  case "disconnected":
    $("connection").textContent = `Waiting for touchd: ${event.reason}`;
    break;
  case "dropped":
    moment.dropped += event.count;
    break;
  case "layout": case "device":
    await loadOverview();
    break;
  case "page":
    moment.pages = [...moment.pages.filter((name) => !samePlace(name, event.page)), event.page];
    draw();
    break;
  }
}

/** Whether two pages are of one screen, which shows one at a time. */
function samePlace(name, other) {
  const screens = [name, other].map((name) => overview.layout?.pages.find((page) => page.name === name)?.screen);
  return screens[0] === screens[1];
}

// --- Beginning

function listen() {
  startDay(drawExtras);
  $("stage").addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || startDragging(event)) return;
    const point = place(event);
    const group = event.target.closest?.("[data-number]");
    if (group && !$("drag").checked) {
      $("view").value = group.dataset.number;
      showTrial();
    }
    askHit(point.x, point.y);
  });
  $("stage").addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 1 : 10;
    const moves = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step]};
    if (event.key === "Enter" && cross) {
      askHit(cross.x, cross.y);
    } else if (moves[event.key]) {
      const from = cross ?? {x: screen().width / 2, y: screen().height / 2};
      cross = {
        x: Math.min(Math.max(from.x + moves[event.key][0], 0), screen().width),
        y: Math.min(Math.max(from.y + moves[event.key][1], 0), screen().height),
      };
      drawing.drawCross(cross);
      $("ask-x").value = cross.x;
      $("ask-y").value = cross.y;
    } else {
      return;
    }
    event.preventDefault();
  });
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    askHit(Number($("ask-x").value), Number($("ask-y").value));
  });
  for (const id of ["screen", "page"]) $(id).addEventListener("change", () => { drawLayout(); draw(); showSeen(); });
  for (const id of ["names", "axes", "heat", "dead"]) $(id).addEventListener("change", drawExtras);
  $("view").addEventListener("change", showTrial);
  $("change").addEventListener("submit", (event) => event.preventDefault());
  $("trial-hidden").addEventListener("change", (event) => tryChange({hidden: event.target.checked}));
  $("trial-enabled").addEventListener("change", (event) => tryChange({enabled: event.target.checked}));
  for (const name of ["x", "y", "width", "height"]) {
    $(`trial-${name}`).addEventListener("change", () => {
      const frame = ["x", "y", "width", "height"].map((name) => Number($(`trial-${name}`).value));
      if (frame[2] > 0 && frame[3] > 0) tryChange({frame});
    });
  }
  $("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText($("yaml").value);
      $("done").textContent = "Copied.";
    } catch {
      // Pages that came over plain HTTP from another machine have no clipboard.
      $("yaml").select();
      $("done").textContent = "Selected; copy it with Ctrl+C.";
    }
  });
  $("undo").addEventListener("click", async () => {
    trial.undo();
    drawLayout();
    draw();
    await showYAML();
    if (cross) await askHit(cross.x, cross.y);
  });
  for (const button of document.querySelectorAll("[data-command]")) {
    button.addEventListener("click", async () => {
      const view = triedView();
      if (view?.id === undefined) return ($("done").textContent = "Only a view with an id can be named.");
      try {
        await ask("/api/command", {command: button.dataset.command, view: view.id});
        $("done").textContent = `Done: ${button.dataset.command} ${view.id}.`;
        await loadOverview();
      } catch (error) {
        $("done").textContent = error.message;
      }
    });
  }
  $("contrast").addEventListener("click", () => {
    const isOn = document.body.classList.toggle("contrast");
    $("contrast").setAttribute("aria-pressed", isOn);
  });
  $("back").addEventListener("click", () => goTo(position - 1));
  $("forth").addEventListener("click", () => goTo(position + 1));
  $("play").addEventListener("click", play);
  $("time").addEventListener("input", () => goTo(Number($("time").value)));
}

async function begin() {
  takeToken();
  listen();
  try {
    await loadOverview();
    if (overview.mode === "recording") {
      records = await ask("/api/records");
      $("timeline").hidden = false;
      $("time").max = records.length;
      $("connection").textContent = `${records.length} moments`;
      goTo(0);
    } else {
      setInterval(showSeen, 2000);
      follow();
    }
    showSeen();
    document.body.dataset.ready = "true";
  } catch (error) {
    $("connection").textContent = "Not connected";
    say("problem", error.message);
  }
}

begin();
