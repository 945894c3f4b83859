-- The entries of one kiosk as `journalctl -o json` writes them, for touchd report, which decides what is a ghost, silent, or lost:
--   clickhouse-client --query "SELECT * FROM touchd.journal_of(kiosk = 'hall', from = '2026-11-01', to = '2026-11-08') FORMAT JSONEachRow" |
--       touchd report --layout touchd.yaml
CREATE OR REPLACE VIEW touchd.journal_of AS
SELECT
    toString(toUnixTimestamp64Micro(date)) AS __REALTIME_TIMESTAMP, toString(monotonic) AS __MONOTONIC_TIMESTAMP, host AS _HOSTNAME,
    machine AS _MACHINE_ID, boot AS _BOOT_ID, process AS _PID, unit AS _SYSTEMD_UNIT, priority AS PRIORITY,
    transform(toString(kind), touchd_kinds(), touchd_ids(), '') AS MESSAGE_ID,
    if(kind LIKE 'touch%', toString(touch), NULL) AS TOUCHD_TOUCH, if(kind LIKE 'touch%', toString(time), NULL) AS TOUCHD_TIME,
    nullIf(toString(view), '') AS TOUCHD_VIEW, toString(x) AS TOUCHD_X, toString(y) AS TOUCHD_Y, nullIf(toString(screen), '') AS TOUCHD_SCREEN,
    nullIf(toString(page), '') AS TOUCHD_PAGE, nullIf(toString(trigger), '') AS TOUCHD_TRIGGER, nullIf(toString(device), '') AS TOUCHD_DEVICE,
    nullIf(toString(expected), '') AS TOUCHD_EXPECTED, nullIf(toString(layout), '') AS TOUCHD_LAYOUT_HASH,
    nullIf(toString(version), '') AS TOUCHD_LAYOUT_VERSION
FROM
(
    -- A boot's entries by its own clock; boots by the journal's numbers, and without numbers by the date of their last entry.
    SELECT *, (min(seqnum) OVER w, argMax(date, monotonic) OVER w) AS place
    FROM touchd.entries FINAL
    WHERE host = {kiosk:String} AND date >= {from:DateTime64(6, 'UTC')} AND date < {to:DateTime64(6, 'UTC')}
    WINDOW w AS (PARTITION BY machine, boot)
)
ORDER BY machine, place, boot, monotonic, seqnum, touch;
