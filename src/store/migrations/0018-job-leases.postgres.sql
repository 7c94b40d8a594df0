-- Which node runs a job for all of them, and where a node takes over the open authentications of one that ends. A crash of the server empties
-- both tables, and nodes fill them anew. Leases end by the clock of the server.
CREATE UNLOGGED TABLE job_lease (
  name text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  ends_at bigint NOT NULL
);
ALTER TABLE gateway_node ADD COLUMN address text COLLATE "C";
