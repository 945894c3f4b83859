// Moves through the time of a recording.

import {momentAfter} from "./moment.js";
import {draw} from "./stage.js";
import {$, state} from "./state.js";

let records = [];
let position = 0;       // the number of records shown
let playing = null;     // the timer of the next step

/** Shows the moment after a number of records. */
function goTo(index) {
  const next = Math.max(0, Math.min(index, records.length));
  const {screens, views, duration} = state.overview;
  if (next > 0 && next === position + 1) state.moment.apply(records[next - 1]);
  else state.moment = momentAfter(records, next, screens.flatMap((screen) => screen.page ? [screen.page] : []), views);
  position = next;
  $("time").value = position;
  $("clock").textContent = `${state.moment.time.toFixed(3)} s of ${duration.toFixed(3)} s, moment ${position} of ${records.length}`;
  $("time").setAttribute("aria-valuetext", $("clock").textContent);
  draw();
}

function stop() {
  clearTimeout(playing);
  playing = null;
  $("play").textContent = "Play";
}

function play() {
  if (playing !== null) return stop();
  if (position >= records.length) goTo(0);
  const step = () => {
    goTo(position + 1);
    if (position >= records.length) return stop();
    // Pauses are shortened to one second.
    playing = setTimeout(step, Math.min((records[position].time - state.moment.time) * 1000, 1000));
  };
  $("play").textContent = "Pause";
  playing = setTimeout(step, 0);
}

/** Shows the start of a recording. */
export function showTimeline(all) {
  records = all;
  $("timeline").hidden = false;
  $("time").max = records.length;
  const step = (by) => () => { stop(); goTo(position + by); };
  $("back").addEventListener("click", step(-1));
  $("forth").addEventListener("click", step(1));
  $("play").addEventListener("click", play);
  $("time").addEventListener("input", () => { stop(); goTo(Number($("time").value)); });
  position = -1;
  goTo(0);
}
