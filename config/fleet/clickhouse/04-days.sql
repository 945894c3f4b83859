-- The days that kiosks judge themselves (touchd day) and send as one line of JSON for each seat. A day that arrives again counts once; the
-- newest counts. `url:` of /etc/touchd/day.yaml can be ClickHouse itself, behind a server that checks the kiosk:
--   https://collector.example/?query=INSERT%20INTO%20touchd.day%20FORMAT%20JSONEachRow

-- What arrives. Other members are ignored, missing ones are empty.
CREATE TABLE IF NOT EXISTS touchd.day
(
    day Date, seat String,
    kiosk Tuple(
        host String, machine String, concerns Array(String), layouts Array(Tuple(layout Tuple(version String, hash String), since String)),
        zones Array(Tuple(view String, tally Tuple(
            touches UInt64, taps UInt64, cancelled UInt64, liftedOutside UInt64, abandoned UInt64, unfinished UInt64))),
        deadZones Array(Tuple(view String)), ghosts Array(Tuple(view String, x Float64, y Float64, touches UInt64, oddities Array(String))),
        lostDevices Array(Tuple(device String, loss String, since String)), firstTouch String, lastTouch String,
        longestPause Tuple(start String, seconds Float64), hours Array(Tuple(start String, touches UInt64, taps UInt64)))
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS touchd.days
(
    host LowCardinality(String), machine LowCardinality(String), seat LowCardinality(String), day Date, concerns Array(LowCardinality(String)),
    layout LowCardinality(String) COMMENT 'hash of the last one that was loaded on the day; empty without any',
    zones Nested(view LowCardinality(String), touches UInt64, taps UInt64, cancelled UInt64, lifted_outside UInt64, abandoned UInt64,
        unfinished UInt64),
    never_touched Array(LowCardinality(String)), ghosts Nested(view LowCardinality(String), x Float64, y Float64, touches UInt64,
        oddities Array(LowCardinality(String))),
    lost_devices Nested(device LowCardinality(String), loss LowCardinality(String)),
    first_touch Nullable(DateTime('UTC')), last_touch Nullable(DateTime('UTC')), longest_pause Float64 COMMENT 'seconds',
    hours Nested(start DateTime('UTC'), touches UInt64, taps UInt64), received DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(received)
PARTITION BY toYYYYMM(received)
ORDER BY (host, machine, seat, day)
TTL received + INTERVAL 3 YEAR;

CREATE MATERIALIZED VIEW IF NOT EXISTS touchd.days_of_day TO touchd.days AS
SELECT
    touchd_name(kiosk.host) AS host, touchd_name(kiosk.machine) AS machine, touchd_name(seat) AS seat, day, kiosk.concerns AS concerns,
    touchd_name(arrayElement(kiosk.layouts.layout.hash, -1)) AS layout,
    arrayMap(view -> touchd_name(view), kiosk.zones.view) AS `zones.view`, kiosk.zones.tally.touches AS `zones.touches`,
    kiosk.zones.tally.taps AS `zones.taps`, kiosk.zones.tally.cancelled AS `zones.cancelled`,
    kiosk.zones.tally.liftedOutside AS `zones.lifted_outside`, kiosk.zones.tally.abandoned AS `zones.abandoned`,
    kiosk.zones.tally.unfinished AS `zones.unfinished`, arrayMap(view -> touchd_name(view), kiosk.deadZones.view) AS never_touched,
    arrayMap(view -> touchd_name(view), kiosk.ghosts.view) AS `ghosts.view`, kiosk.ghosts.x AS `ghosts.x`, kiosk.ghosts.y AS `ghosts.y`,
    kiosk.ghosts.touches AS `ghosts.touches`, kiosk.ghosts.oddities AS `ghosts.oddities`,
    arrayMap(device -> touchd_name(device), kiosk.lostDevices.device) AS `lost_devices.device`, kiosk.lostDevices.loss AS `lost_devices.loss`,
    parseDateTimeBestEffortOrNull(kiosk.firstTouch, 'UTC') AS first_touch, parseDateTimeBestEffortOrNull(kiosk.lastTouch, 'UTC') AS last_touch,
    kiosk.longestPause.seconds AS longest_pause,
    arrayMap(start -> parseDateTimeBestEffortOrZero(start, 'UTC'), kiosk.hours.start) AS `hours.start`, kiosk.hours.touches AS `hours.touches`,
    kiosk.hours.taps AS `hours.taps`
FROM touchd.day;

-- Each seat's days, once. A day without a loaded layout has that of the day before.
CREATE OR REPLACE VIEW touchd.each_day AS
SELECT * EXCEPT (layout), ifNull(anyLast(nullIf(layout, '')) OVER (PARTITION BY host, machine, seat ORDER BY day ROWS UNBOUNDED PRECEDING), '') AS layout
FROM touchd.days FINAL;

-- Counts by kiosk, seat, day, layout and view:
--   SELECT view, sum(touches) FROM touchd.day_sums(from = '2026-11-01', to = '2026-12-01') GROUP BY view
CREATE OR REPLACE VIEW touchd.day_sums AS
SELECT
    host, machine, seat, day, layout, zones.view AS view, zones.touches AS touches, zones.taps AS taps, zones.cancelled AS cancelled,
    zones.lifted_outside AS lifted_outside, zones.abandoned AS abandoned, zones.unfinished AS unfinished
FROM touchd.each_day ARRAY JOIN zones
WHERE day >= {from:Date} AND day < {to:Date};

CREATE OR REPLACE VIEW touchd.day_hours AS
SELECT host, machine, seat, day, hours.start AS start, hours.touches AS touches, hours.taps AS taps
FROM touchd.days FINAL ARRAY JOIN hours
WHERE day >= {from:Date} AND day < {to:Date};

-- Views that a kiosk's layout has and nobody touched on any of the days, with the number that their use on other kiosks lets expect.
CREATE OR REPLACE VIEW touchd.day_never_touched AS
WITH
    zones AS
    (
        SELECT host, machine, view, sum(touches) AS touches
        FROM touchd.day_sums(from = {from:Date}, to = {to:Date})
        GROUP BY host, machine, view
    ),
    kiosks AS (SELECT host, machine, sum(touches) AS touches FROM zones GROUP BY host, machine),
    (SELECT sum(touches) FROM kiosks) AS total
SELECT
    n.host AS host, n.machine AS machine, n.view AS view,
    if(total = k.touches, NULL, v.touches / (total - k.touches) * k.touches) AS expected, touchd_is_suspicious(expected) AS is_suspicious
FROM
(
    SELECT DISTINCT host, machine, arrayJoin(never_touched) AS view
    FROM touchd.days FINAL
    WHERE day >= {from:Date} AND day < {to:Date}
) AS n
JOIN kiosks AS k ON k.host = n.host AND k.machine = n.machine
LEFT JOIN (SELECT view, sum(touches) AS touches FROM zones GROUP BY view) AS v ON v.view = n.view
WHERE (n.host, n.machine, n.view) NOT IN (SELECT host, machine, view FROM zones);

-- Kiosks to look at: what touchd said of the newest day, `away` if it is older than the day before yesterday, and the days without a touch.
CREATE OR REPLACE VIEW touchd.day_concerns AS
SELECT
    host, machine, seat, max(day) AS newest,
    arrayConcat(if(newest < {today:Date} - 2, ['away'], []), argMax(concerns, day)) AS concerns,
    argMax(ghosts.touches, day) AS ghost_touches, argMax(arrayZip(lost_devices.device, lost_devices.loss), day) AS lost_devices,
    dateDiff('day', greatest(maxIf(day, last_touch IS NOT NULL), min(day) - 1), newest) AS untouched_days
FROM touchd.days FINAL
WHERE day > {today:Date} - 32
GROUP BY host, machine, seat
HAVING notEmpty(concerns);
