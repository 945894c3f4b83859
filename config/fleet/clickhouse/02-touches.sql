-- Sums of touches, by the terms of touchd(1), REPORTS, for a period on the clocks of the kiosks:
--   SELECT view, sum(touches), sum(taps) FROM touchd.sums(from = '2026-11-01', to = '2026-11-08') GROUP BY view
-- Only touchd report finds ghost touches, silent screens and lost devices, and with a layout touches that were lifted outside their view.

-- One row for each touch that began in the period. The end, up to ten minutes after it, is touchEnded, touchCancelled, or empty.
CREATE OR REPLACE VIEW touchd.touches AS
SELECT
    host, machine, boot, process, unit, monotonic, touch, date, view, screen, page, x, y, time,
    if(next IN ('touchEnded', 'touchCancelled'), next, '') AS end, next_time - time AS duration,
    hypot(next_x - x, next_y - y) AS distance, end = 'touchCancelled' AND next_gestures > gestures AS is_during_gesture,
    -- Without positions, in a private view, only the duration counts.
    end = 'touchEnded' AND duration BETWEEN 0 AND 0.75 AND ifNull(distance <= 45, true) AS is_tap
FROM
(
    SELECT
        *, leadInFrame(kind) OVER w AS next, leadInFrame(time) OVER w AS next_time, leadInFrame(x) OVER w AS next_x,
        leadInFrame(y) OVER w AS next_y, leadInFrame(gestures) OVER w AS next_gestures
    FROM
    (
        SELECT
            *, countIf(kind = 'gestureRecognized') OVER
                (PARTITION BY host, machine, boot, process, unit ORDER BY monotonic, seqnum ROWS UNBOUNDED PRECEDING) AS gestures
        FROM touchd.entries FINAL
        WHERE date >= {from:DateTime64(6, 'UTC')} AND date < {to:DateTime64(6, 'UTC')} + INTERVAL 10 MINUTE
            AND (kind IN ('touchBegan', 'touchEnded', 'touchCancelled')
                OR (kind = 'gestureRecognized' AND trigger IN ('recognized', 'began')))
    )
    WHERE kind != 'gestureRecognized'
    WINDOW w AS
    (
        PARTITION BY host, machine, boot, process, unit, touch ORDER BY monotonic, kind = 'touchBegan' DESC
        ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING
    )
)
WHERE kind = 'touchBegan' AND date < {to:DateTime64(6, 'UTC')};

-- Counts by kiosk, view, layout, day and hour (UTC); group them by those that you need. `layout` is empty if its loading is not known.
CREATE OR REPLACE VIEW touchd.sums AS
SELECT
    host, machine, view, layout, toDate32(date, 'UTC') AS day, toHour(date, 'UTC') AS hour, count() AS touches, countIf(is_tap) AS taps,
    countIf(end = 'touchCancelled') AS cancelled, countIf(end = 'touchCancelled' AND NOT is_during_gesture) AS abandoned,
    countIf(end = '') AS unfinished
FROM touchd.touches(from = {from:DateTime64(6, 'UTC')}, to = {to:DateTime64(6, 'UTC')}) AS t
ASOF LEFT JOIN (SELECT host, machine, boot, process, unit, monotonic, layout FROM touchd.layouts FINAL) AS l
    ON t.host = l.host AND t.machine = l.machine AND t.boot = l.boot AND t.process = l.process AND t.unit = l.unit AND t.monotonic >= l.monotonic
GROUP BY host, machine, view, layout, day, hour;

-- With ten touches expected, no touch at all has a probability of 1 in 20,000.
CREATE OR REPLACE FUNCTION touchd_is_suspicious AS expected -> ifNull(expected >= 10, false);

-- Views that were not touched on a kiosk, of those that were touched on others, with the number that their use there lets expect.
CREATE OR REPLACE VIEW touchd.never_touched AS
WITH
    zones AS
    (
        SELECT host, machine, view, sum(touches) AS touches
        FROM touchd.sums(from = {from:DateTime64(6, 'UTC')}, to = {to:DateTime64(6, 'UTC')})
        GROUP BY host, machine, view
    ),
    kiosks AS (SELECT host, machine, sum(touches) AS touches FROM zones GROUP BY host, machine),
    (SELECT sum(touches) FROM kiosks) AS total
SELECT
    k.host AS host, k.machine AS machine, v.view AS view, v.touches / (total - k.touches) * k.touches AS expected, touchd_is_suspicious(expected) AS is_suspicious
FROM kiosks AS k
CROSS JOIN (SELECT view, sum(touches) AS touches FROM zones WHERE view != '' GROUP BY view ORDER BY touches DESC, view LIMIT 2000) AS v
WHERE (k.host, k.machine, v.view) NOT IN (SELECT host, machine, view FROM zones);
