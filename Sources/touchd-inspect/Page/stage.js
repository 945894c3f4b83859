// The picture: the current layout with the touches.

import {drawDay} from "./day.js";
import {Drawing, everyView, shownViews} from "./drawing.js";
import {showFlow, showRaw, showTouches} from "./sidebar.js";
import {seenHere, showSeen} from "./seen.js";
import {$, isDrawn, isHere, page, screen, state} from "./state.js";
import {Trial} from "./trial.js";

export const drawing = new Drawing($("stage"));
export const trial = new Trial();

/** The drawn views, with subviews after their superviews. */
export let drawnViews = [];
let drawnKey = "";
let isDrawingDue = false;
/** Called after the layout was drawn. */
let layoutDrawn = () => {};

/** The part of the moment that affects the drawing of the layout. */
function layoutKey() { return JSON.stringify([screen()?.name, page(), [...state.moment.views.values()]]); }

export function drawLayout() {
  if (!screen()) return;
  const {layout} = state.overview, isFirst = drawnKey === "";
  const views = layout ? shownViews(layout, screen(), page()) : [];
  drawing.draw(screen(), views, (view) => trial.now(view, state.moment.views));
  drawnViews = [...everyView(views)];
  drawnKey = layoutKey();
  drawing.drawCross(state.cross);
  $("shown-page").textContent = page() ? `Page: ${page()}` : "";
  const shown = page() ? `, page ${page()}` : "";
  $("stage").setAttribute("aria-label", `${screen().name ?? "Screen"}, ${screen().width} by ${screen().height} points${shown}`);
  const kept = $("view").value;
  $("view").replaceChildren(...drawnViews.map((view) => new Option(view.id ?? `at ${view.location}`, view.key)));
  // If the chosen view is gone, none is chosen: a command would change another one.
  if (!isFirst) $("view").value = kept;
  layoutDrawn();
  drawExtras();
}

/** Draws the extras that are switched on above the picture. */
export function drawExtras() {
  const {devices} = state.overview;
  const source = state.moment.touches.get(state.chosen)?.source;
  const device = devices.find((device) => device.source === source) ?? devices.find((device) => device.kind === "touchscreen");
  drawing.drawAxes($("axes").checked && device?.x && device.y ? device : null);
  const seen = seenHere();
  drawing.drawHeat($("heat").checked ? seen.cells : []);
  drawing.markDead($("dead").checked ? new Set(seen.dead.map((view) => view.key)) : new Set());
  drawDay(drawing, screen(), page(), state.overview.screens);
  $("stage").classList.toggle("without-names", !$("names").checked);
}

/** Schedules one drawing for the next display frame, however many events arrive before it. */
export function draw() {
  if (isDrawingDue) return;
  isDrawingDue = true;
  requestAnimationFrame(() => {
    isDrawingDue = false;
    if (state.overview && screen()) drawNow();
  });
}

function drawNow() {
  const {moment, overview} = state;
  if (layoutKey() !== drawnKey) drawLayout();
  const touches = moment.visible.filter((touch) => isHere(touch.screen));
  if (!state.isPinned || !moment.touches.has(state.chosen)) {
    state.isPinned = false;
    state.chosen = touches.filter((touch) => touch.over === null).at(-1)?.number ?? touches.at(-1)?.number ?? null;
  }
  const drawn = touches.filter(isDrawn), marked = drawn.filter((touch) => touch.over === null || touch.number === state.chosen);
  drawing.mark(new Set(marked.map((touch) => touch.view).filter(Boolean)));
  drawing.drawTouches(drawn, state.chosen, choose);
  if ($("axes").checked) drawing.drawRaw(drawn, overview.devices);
  showTouches(moment, touches, state.chosen, choose);
  showFlow(moment, overview.status);
  showRaw(moment, overview.devices);
  if ($("heat").checked || $("dead").checked) drawExtras();
  showSeen();
}

export function choose(number) {
  state.chosen = number;
  state.isPinned = true;
  draw();
}

/** The position of a pointer in points of the screen, or of a view's group. */
export function place(event, target = $("stage")) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(target.getScreenCTM().inverse());
  return {x: point.x, y: point.y};
}

/** Connects the switches and menus above the picture; `whenDrawn` is called each time after the layout was drawn. */
export function listenToChoices(whenDrawn) {
  layoutDrawn = whenDrawn;
  for (const id of ["screen", "page"]) $(id).addEventListener("change", () => { drawLayout(); draw(); });
  for (const id of ["names", "axes", "heat", "dead"]) $(id).addEventListener("change", () => { drawExtras(); draw(); });
}
