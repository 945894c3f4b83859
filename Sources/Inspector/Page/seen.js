// Where it was touched since the page was opened, or up to a moment of a recording; and where not.

import {drawnViews} from "./stage.js";
import {$, isHere, isRecording, state} from "./state.js";

/** How large a cell of the heat map is, in points; about half a fingertip's width on a kiosk's screen. */
const CELL = 32;

/** The cells where touches began, and the views that have something to do and that nobody touched. */
export function seenHere() {
  const {began} = state.moment;
  const here = began.filter((place) => isHere(place.screen));
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
  const hasWork = (view) => view.id !== undefined && view.handlers.length > 0 && !view.private;
  return {cells, dead: drawnViews.filter((view) => hasWork(view) && !touched.has(view.id)), count: here.length};
}

let shown = "";

export function showSeen() {
  if (!state.overview) return;
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
