// What the parts of the page have in common: what is there, what is felt at the moment, what is chosen.

import {Moment} from "./moment.js";

export const state = {
  overview: null,
  moment: new Moment(),
  chosen: null,      // the number of the touch that is looked at
  isPinned: false,   // whether it was chosen by hand
  cross: null,       // where a touch is asked for
};

export const $ = (id) => document.getElementById(id);

/** Says something where there is nothing while there is nothing to say. */
export function say(id, text) {
  $(id).textContent = text;
  $(id).hidden = text === "";
}

export function isRecording() { return state.overview.mode === "recording"; }

/** The screen that is looked at. */
export function screen() { return state.overview.screens[$("screen").selectedIndex] ?? state.overview.screens[0]; }

/** The page that is chosen, or with "as shown" the one that the screen shows at the moment. */
export function page() {
  if ($("page").value !== "") return $("page").value;
  const {layout} = state.overview;
  const isHere = (page) => (page.screen ?? layout.screens[0].name) === screen().name;
  const names = new Set((layout?.pages ?? []).filter(isHere).map((page) => page.name));
  return state.moment.pages.find((name) => names.has(name)) ?? screen().page;
}

/** Whether something on a screen is on the one that is looked at. */
export function isHere(name) { return state.overview.screens.length < 2 || (name ?? null) === (screen().name ?? null); }
