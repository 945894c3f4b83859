-- Several servers, which share kiosks: not run, only parsed. All entries of a kiosk are on one shard, so each shard can judge it. On every
-- server, first the tables and views of this folder, with replicated tables; {shard} and {replica} are macros of the server:
--   sed -E "s|= ReplacingMergeTree(\(([a-z]+)\))?|= ReplicatedReplacingMergeTree('/clickhouse/{shard}/touchd/{table}', '{replica}', \2)|; s|, \)|)|" \
--       0*.sql | clickhouse-client --multiquery
-- Then this file. Kiosks' entries and days go into journal_of_all and day_of_all of any server. Every shard adds up its own kiosks:
--   SELECT view, sum(touches) FROM cluster('fleet', view(
--       SELECT view, sum(touches) AS touches FROM touchd.sums(from = '2026-11-01', to = '2026-11-08') GROUP BY view)) GROUP BY view
-- never_touched compares the kiosks of one shard.

CREATE TABLE IF NOT EXISTS touchd.journal_of_all AS touchd.journal
ENGINE = Distributed('fleet', touchd, journal, cityHash64(_HOSTNAME, _MACHINE_ID));

CREATE TABLE IF NOT EXISTS touchd.day_of_all AS touchd.day
ENGINE = Distributed('fleet', touchd, day, cityHash64(tupleElement(kiosk, 'host'), tupleElement(kiosk, 'machine')));
