// The changes that are tried in a copy of the layout.

export class Trial {
  constructor() { this.changes = new Map(); }

  /** How a view is: as the file has it, as touchd has changed it, as it is tried. */
  now(view, states) {
    const state = view.id === undefined ? undefined : states.get(view.id);
    const change = this.changes.get(view.number);
    return {
      hidden: change?.hidden ?? state?.hidden ?? view.hidden, enabled: change?.enabled ?? state?.enabled ?? view.enabled,
      frame: change?.frame ?? view.frame, isTried: change !== undefined,
    };
  }

  /** Changes a view; what is given replaces what was tried before. */
  change(view, change) { this.changes.set(view.number, {view: view.number, ...this.changes.get(view.number), ...change}); }

  undo() { this.changes.clear(); }

  /** As the inspector is asked. */
  toJSON() { return {changes: [...this.changes.values()]}; }
}
