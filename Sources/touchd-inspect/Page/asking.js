// Asks which view would receive a touch, from a click, the keyboard's cross, or numbers.

import {ask} from "./connection.js";
import {node, showAnswer} from "./sidebar.js";
import {drawing, place, trial} from "./stage.js";
import {$, isRecording, page, screen, state} from "./state.js";

export async function askHit(x, y) {
  moveCross(x, y);
  // The running touchd applies the current state of its views.
  const views = isRecording() ? {state: [...state.moment.views.values()]} : {};
  try {
    showAnswer(await ask("/api/hit", {x, y, screen: screen().name, page: page(), trial: {...trial.toJSON(), ...views}}));
  } catch (error) {
    $("answer").replaceChildren(node("p", error.message));
  }
}

/** Asks again, because a trial may change the answer. */
export async function askAgain() {
  if (state.cross) await askHit(state.cross.x, state.cross.y);
}

function moveCross(x, y) {
  state.cross = {x, y};
  drawing.drawCross(state.cross);
  $("ask-x").value = Math.round(x * 100) / 100;
  $("ask-y").value = Math.round(y * 100) / 100;
}

/** How far each arrow key moves the cross, in points. */
function step(event) {
  const length = event.shiftKey ? 1 : 10;
  return {ArrowLeft: [-length, 0], ArrowRight: [length, 0], ArrowUp: [0, -length], ArrowDown: [0, length]}[event.key];
}

/**
 * Connects the picture and the form.
 *
 * `choose` is called with the key of the view under the pointer, unless `startDragging` returns true for the event.
 */
export function listenToQuestions(startDragging, choose) {
  $("stage").addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !state.overview || !screen() || startDragging(event)) return;
    choose(event.target.closest?.("[data-key]")?.dataset.key);
    const point = place(event);
    askHit(point.x, point.y);
  });
  $("stage").addEventListener("keydown", (event) => {
    if (!state.overview || !screen()) return;
    const {width, height} = screen(), {x, y} = state.cross ?? {x: width / 2, y: height / 2};
    const move = step(event);
    if (move) moveCross(Math.min(Math.max(x + move[0], 0), width), Math.min(Math.max(y + move[1], 0), height));
    else if (event.key === "Enter") askHit(x, y);
    else return;
    event.preventDefault();
  });
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    askHit(Number($("ask-x").value), Number($("ask-y").value));
  });
}
