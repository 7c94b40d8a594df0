-- Which node asks about an open payment: many nodes sweep, and one of them asks. SQLite has one process, which keeps its claims in memory.
CREATE UNLOGGED TABLE sweep_claim (
  merchant_id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  claimed_until bigint NOT NULL,
  PRIMARY KEY (merchant_id, payment_id)
);
CREATE INDEX sweep_claim_until ON sweep_claim (claimed_until);
