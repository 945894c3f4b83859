// Where it was touched since the page was opened, or up to a moment of a recording; and where not.

import {shownViews} from "./drawing.js";
import {$, isHere, isRecording, page, screen, state} from "./state.js";

/** How large a cell of the heat map is, in points; about half a fingertip's width on a kiosk's screen. */
const CELL = 32;

/** The views of which it is told whether they were touched, those in others after these. */
function* toldViews(views) {
  for (const view of views.filter((view) => !view.private)) {
    yield view;
    yield* toldViews(view.views);
  }
}

/** The cells where touches began, and the views that have something to do and that nobody touched. */
export function seenHere() {
  const {began} = state.moment;
  const name = page();
  const here = began.filter((place) => isHere(place.screen) && (!name || place.pages.includes(name)));
  const counts = new Map();
  for (const place of here) {
    const key = `${Math.floor(place.x / CELL)} ${Math.floor(place.y / CELL)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const cells = [...counts].map(([key, count]) => {
    const [column, row] = key.split(" ").map(Number);
    return {x: column * CELL, y: row * CELL, size: CELL, count};
  });
  const touched = new Set(began.map((place) => place.view));
  const {layout} = state.overview;
  const views = layout ? [...toldViews(shownViews(layout, screen(), page()))] : [];
  const dead = views.filter((view) => view.id !== undefined && view.handlers.length > 0 && !touched.has(view.id));
  return {cells, dead, count: here.length};
}

let shown = "";

export function showSeen() {
  if (!state.overview || !screen()) return;
  const seen = seenHere();
  const since = isRecording() ? "up to this moment of the recording" : "since this page was opened";
  const lines = [
    `${seen.count} ${seen.count === 1 ? "touch" : "touches"} began here ${since}.`,
    seen.dead.length > 0 ? `Not touched: ${seen.dead.map((view) => view.id).join(", ")}.`
      : "Every view that has something to do was touched.",
  ];
  // A text that is selected stays so while nothing changes.
  if (shown === lines.join()) return;
  shown = lines.join();
  $("seen").replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), {textContent: line})));
}
