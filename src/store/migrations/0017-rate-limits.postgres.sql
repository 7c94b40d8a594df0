-- Rate limits that hold for all nodes together, and which nodes there are. A crash of the server empties both, and nodes fill them anew.
-- SQLite has one process, which keeps its limits in memory.
CREATE UNLOGGED TABLE gateway_node (
  id text COLLATE "C" PRIMARY KEY,
  seen_at bigint NOT NULL
);
CREATE UNLOGGED TABLE rate_bucket (
  key text COLLATE "C" PRIMARY KEY,
  level double precision NOT NULL,
  filled_at bigint NOT NULL,
  -- What the last draw got.
  granted integer NOT NULL
);
CREATE INDEX rate_bucket_filled ON rate_bucket (filled_at);
