# Causes the faults of a kiosk's life, one at a time, and prints a line of JSON for each: its result, the touches in the journal, and the
# service's resources before and after. Arguments: the faults, by name or by file.
import collections, json, sys, time, traceback

from kiosk import Failure, Kiosk
import devices, kernel, machine, outside, programs, service

BEGAN, ENDED, CANCELLED = (
    "96fa9236d3bb4aaa9aff2caea63c8aff", "2d44f8dff13041c482b24b1f0dce8fcc", "0dd50a9e1d7d4480b8d1c793b460b8ec")
STARTED = "ea3972b462204261b677cd7959cf6e6d"


def touches(entries):
    """Counts how the touches in these entries began and ended. They are numbered without gaps from 1 at each start of touchd, so a
    missing entry is a mistake, as is one too many."""
    counts = collections.Counter(began=0, ended=0, cancelled=0, cut=0, mistakes=0)
    down, last = set(), None
    for entry in entries:
        kind, touch = entry.get("MESSAGE_ID"), entry.get("TOUCHD_TOUCH")
        if kind == BEGAN:
            counts["began"] += 1
            counts["mistakes"] += last is not None and int(touch) != last + 1
            last = int(touch)
            down.add(touch)
        elif kind in (ENDED, CANCELLED):
            counts["ended" if kind == ENDED else "cancelled"] += 1
            counts["mistakes"] += touch not in down
            down.discard(touch)
        elif kind == STARTED:
            counts["cut"] += len(down)
            down, last = set(), 0
    counts["open"] = len(down)
    return counts


def do(kiosk, fault):
    begun, kiosk.delay = time.monotonic(), None
    left = kiosk.settle()
    before = kiosk.measure()
    start = kiosk.journal.mark()
    seen = [] if not left else [f"before: {left}"]
    try:
        seen += fault(kiosk) or []
        kiosk.tap()
        seen.append("answers")
        left = kiosk.settle()
        if left:
            seen.append(f"left: {left}")
    except (Failure, OSError) as failure:
        seen.append(f"FAILED: {failure}")
        kiosk.connect()
        print("\n".join(kiosk.journal.texts(start, "")[-40:]), file=sys.stderr, flush=True)
    after = kiosk.measure(like=before)
    end = kiosk.journal.mark()
    with kiosk.journal.grown:
        entries = kiosk.journal.entries[start:end]
    restarts = sum("Scheduled restart job" in str(entry.get("MESSAGE", "")) for entry in entries)
    print(json.dumps({
        "fault": fault.__name__, "seen": "; ".join(seen), "touches": touches(entries), "restarts": restarts,
        "before": before, "after": after, "delay": kiosk.delay,
        "seconds": round(time.monotonic() - begun, 1)}), flush=True)


def main(names):
    files = {module.__name__: module.FAULTS for module in (devices, kernel, machine, outside, programs, service)}
    kiosk = Kiosk()
    service.start(kiosk)
    # The first touches, connection and program of a process allocate memory once.
    kiosk.tap()
    known = files | {fault.__name__: [fault] for faults in files.values() for fault in faults}
    chosen = [fault for name in names for fault in known[name]]
    if any(fault in outside.FAULTS for fault in chosen):
        outside.start(kiosk)
    for fault in chosen:
        try:
            do(kiosk, fault)
        except (Failure, OSError, ValueError):
            print(json.dumps({"fault": fault.__name__, "seen": traceback.format_exc()}), flush=True)
            kiosk.connect()


if __name__ == "__main__":
    main(sys.argv[1:])
