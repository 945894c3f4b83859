-- The entries of touchd, from the journals of all kiosks. docs/fleet.md explains how they arrive.
-- An entry that arrives twice is kept once: its key is the kiosk, the boot, the run and the monotonic time of the entry, and its subject.

CREATE DATABASE IF NOT EXISTS touchd;

-- The message IDs of touchd's entries and their kinds, as in touchd.journal-fields(7). Other entries are not kept.
CREATE OR REPLACE FUNCTION touchd_ids AS () ->
    ['96fa9236d3bb4aaa9aff2caea63c8aff', '46a6827f9bbe42308553f63ec002afcb', '2d44f8dff13041c482b24b1f0dce8fcc',
     '0dd50a9e1d7d4480b8d1c793b460b8ec', '71119da43f144569ad4bc09d28f27189', 'e8c4128a04b94459a6261c53231fa334',
     'dda6be2203ee41d4ad373476e9614667', '1ebd3051b9b545958b6eb147392db7db', 'a5d278eab89447558278ab25b4189b9c',
     '70760491979242c8b310587ae736d063', '3cd7485850374cb39c679d9eb03caa3d', '9ac89290979f40f1aad60bd06613800a',
     '07d43b961e384f6585f8c04378978a63', 'd8d40e901e96479db21a1779f460c313', '2b480cdf3c27413fa69862a23bab0914',
     '5b66f9c541d942eaa0a231c71a316624', 'c4ef7dc358b0472d9223adcdfc09455c', '894b5307c9874b6d9d3e6d07c9d2451a',
     'ea3972b462204261b677cd7959cf6e6d', '7f14c966cdc2417c93f7cc6a412cb439', 'baeb014367c845aeb832af30ecf953a1',
     '61742c8559a845a29dd9db8bd2d42734', 'b86da0d0975b4dd6aa71f06946bdfed9', 'd05c33f1526c4cf582ec3fc7296e31d4',
     '1b21cac3da7e40e688da215167e0df6a', '208f229ad8484ce38b8cfb76280c1035', '7d91780270544694a165c12819380c5e',
     'fb0563bd67214981bbcb6b239a567476', '50e5f12050024ab5bb4e4996d7034722', '6f62033e7192498c9b9f9c6c30d76953'];
CREATE OR REPLACE FUNCTION touchd_kinds AS () ->
    ['touchBegan', 'touchMoved', 'touchEnded', 'touchCancelled', 'gestureRecognized', 'pageShown', 'deviceAdded',
     'deviceRemoved', 'deviceFailed', 'deviceAbsent', 'deviceSilent', 'deviceBack', 'resumed', 'panelForwarded',
     'notForwarded', 'panelReleased', 'layoutLoaded', 'layoutRefused', 'started', 'handlerStuck', 'handlerSlow',
     'handlerFailed', 'programFailed', 'programTimedOut', 'programLimitReached', 'messageNotSent', 'requestNotSent', 'entriesDropped',
     'controlRefused', 'pageRefused'];
CREATE OR REPLACE FUNCTION touchd_kind AS id -> transform(id, touchd_ids(), touchd_kinds(), '');

-- A name that terminals and web pages can show, as touchd report has it: 128 characters, and U+FFFD for those that a terminal executes.
CREATE OR REPLACE FUNCTION touchd_name AS s ->
    replaceRegexpAll(substringUTF8(s, 1, 128), '[^\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}]', '\xEF\xBF\xBD');

-- A list of the bytes of a text, which is left out if it is not UTF-8.
CREATE OR REPLACE FUNCTION touchd_utf8 AS s -> if(isValidUTF8(s), s, '');
CREATE OR REPLACE FUNCTION touchd_bytes AS s -> touchd_utf8(arrayStringConcat(arrayMap(byte -> char(byte), JSONExtract(s, 'Array(UInt8)'))));

-- A field's text. journalctl writes a repeated field as a list, whose last value counts, and control characters as a list of bytes.
CREATE OR REPLACE FUNCTION touchd_value AS s -> if(startsWith(s, '[') AND isValidJSON(s),
    multiIf(JSONType(s, -1) = 'String', JSONExtractString(s, -1), JSONType(s, -1) = 'Array', touchd_bytes(JSONExtractRaw(s, -1)), touchd_bytes(s)), s);

-- What arrives: the fields of journald and touchd by their names. Nothing is kept here.
CREATE TABLE IF NOT EXISTS touchd.journal
(
    __REALTIME_TIMESTAMP String, __MONOTONIC_TIMESTAMP String, __SEQNUM String,
    _HOSTNAME String, _MACHINE_ID String, _BOOT_ID String, _PID String, _SYSTEMD_UNIT String, MESSAGE_ID String, PRIORITY String,
    TOUCHD_TOUCH String, TOUCHD_TIME String, TOUCHD_VIEW String, TOUCHD_X String, TOUCHD_Y String, TOUCHD_SCREEN String, TOUCHD_PAGE String,
    TOUCHD_TRIGGER String, TOUCHD_DEVICE String, TOUCHD_EXPECTED String, TOUCHD_LAYOUT_HASH String, TOUCHD_LAYOUT_VERSION String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS touchd.entries
(
    host LowCardinality(String), machine LowCardinality(String), boot LowCardinality(String),
    process LowCardinality(String), unit LowCardinality(String) COMMENT 'with boot and process: one run of the service',
    monotonic Int64 CODEC(Delta, ZSTD) COMMENT 'microseconds since the boot, on the clock that cannot be set',
    seqnum UInt64 CODEC(Delta, ZSTD) COMMENT '0 from systemd before 254',
    kind LowCardinality(String) COMMENT 'touchd_kind()',
    touch UInt64 CODEC(Delta, ZSTD) COMMENT 'touchd counts from 1 in each run',
    date DateTime64(6, 'UTC') CODEC(Delta, ZSTD) COMMENT 'on the clock of the kiosk',
    time Float64 CODEC(Gorilla, ZSTD) COMMENT 'TOUCHD_TIME',
    view LowCardinality(String), x Nullable(Float64), y Nullable(Float64), screen LowCardinality(String), page LowCardinality(String),
    trigger LowCardinality(String), device LowCardinality(String), expected LowCardinality(String), priority LowCardinality(String),
    layout LowCardinality(String) COMMENT 'hash', version LowCardinality(String),
    received DateTime DEFAULT now() COMMENT 'on the clock of the collector, which no kiosk chooses'
)
ENGINE = ReplacingMergeTree
PARTITION BY toDate(received)
ORDER BY (host, machine, boot, process, unit, monotonic, kind, touch, device, expected, layout)
TTL received + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS touchd.entries_of_journal TO touchd.entries AS
WITH
    touchd_kind(MESSAGE_ID) AS kind_, kind_ IN ('touchBegan', 'touchEnded', 'touchCancelled') AS is_touch,
    toFloat64OrNull(__REALTIME_TIMESTAMP) AS microseconds, toUInt64OrNull(TOUCHD_TOUCH) AS number,
    toFloat64OrNull(TOUCHD_TIME) AS seconds, toFloat64OrNull(TOUCHD_X) AS x_, toFloat64OrNull(TOUCHD_Y) AS y_,
    is_touch AND ifNull(abs(x_) < 1000000 AND abs(y_) < 1000000, false) AS has_place
SELECT
    touchd_name(touchd_value(_HOSTNAME)) AS host, touchd_name(touchd_value(_MACHINE_ID)) AS machine, touchd_value(_BOOT_ID) AS boot,
    touchd_value(_PID) AS process, touchd_value(_SYSTEMD_UNIT) AS unit, toInt64OrZero(__MONOTONIC_TIMESTAMP) AS monotonic,
    toUInt64OrZero(__SEQNUM) AS seqnum, kind_ AS kind, if(is_touch, assumeNotNull(number), 0) AS touch,
    fromUnixTimestamp64Micro(toInt64(microseconds), 'UTC') AS date,
    if(seconds >= 0 AND seconds < 10000000000, assumeNotNull(seconds), assumeNotNull(microseconds) / 1000000) AS time,
    if(is_touch, touchd_name(touchd_value(TOUCHD_VIEW)), '') AS view, if(has_place, x_, NULL) AS x, if(has_place, y_, NULL) AS y,
    if(is_touch, touchd_value(TOUCHD_SCREEN), '') AS screen, if(is_touch, touchd_name(touchd_value(TOUCHD_PAGE)), '') AS page,
    if(kind_ = 'gestureRecognized', left(TOUCHD_TRIGGER, 16), '') AS trigger,
    touchd_name(touchd_value(TOUCHD_DEVICE)) AS device, touchd_name(touchd_value(TOUCHD_EXPECTED)) AS expected, left(PRIORITY, 1) AS priority,
    touchd_name(touchd_value(TOUCHD_LAYOUT_HASH)) AS layout, touchd_name(touchd_value(TOUCHD_LAYOUT_VERSION)) AS version
FROM touchd.journal
WHERE kind_ != '' AND microseconds >= 0 AND microseconds < 7258118400000000 AND (NOT is_touch OR number IS NOT NULL)
SETTINGS precise_float_parsing = 1;

-- The layouts that each run of the service loaded. They are few, and are kept, because a run can be older than its oldest touch here.
CREATE TABLE IF NOT EXISTS touchd.layouts
(
    host LowCardinality(String), machine LowCardinality(String), boot LowCardinality(String), process LowCardinality(String),
    unit LowCardinality(String), monotonic Int64, date DateTime64(6, 'UTC'), layout LowCardinality(String), version LowCardinality(String)
)
ENGINE = ReplacingMergeTree
ORDER BY (host, machine, boot, process, unit, monotonic, layout);

CREATE MATERIALIZED VIEW IF NOT EXISTS touchd.layouts_of_entries TO touchd.layouts AS
SELECT host, machine, boot, process, unit, monotonic, date, layout, version
FROM touchd.entries
WHERE kind = 'layoutLoaded' AND layout != '';
