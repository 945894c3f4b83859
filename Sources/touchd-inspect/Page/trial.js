// The changes tried in a copy of the layout.

export class Trial {
  constructor() { this.changes = new Map(); }

  /** The state of a view: from the file, then changed by touchd, then by the trial. */
  now(view, states) {
    const state = view.id === undefined ? undefined : states.get(view.id);
    const change = this.changes.get(view.key);
    return {
      hidden: change?.hidden ?? state?.hidden ?? view.hidden, enabled: change?.enabled ?? state?.enabled ?? view.enabled,
      frame: change?.frame ?? view.frame, isTried: change !== undefined,
    };
  }

  /** Changes a view; the given values replace those of earlier changes. */
  change(view, change) { this.changes.set(view.key, {view: view.key, ...this.changes.get(view.key), ...change}); }

  undo() { this.changes.clear(); }

  /** The form that is sent to the inspector. */
  toJSON() { return {changes: [...this.changes.values()]}; }
}
