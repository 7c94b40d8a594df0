-- Files for merchants: of each day one, and further parts with what came later.

CREATE TABLE reconciliation_run (
  merchant_id TEXT NOT NULL,
  day TEXT NOT NULL,
  part INTEGER NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  claimed_until INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- The rest of it as JSON.
  data TEXT NOT NULL,
  PRIMARY KEY (merchant_id, day, part),
  CONSTRAINT reconciliation_run_state CHECK (state IN ('due', 'renaming', 'done', 'failed')),
  CONSTRAINT reconciliation_run_part CHECK (part >= 1),
  CONSTRAINT reconciliation_run_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX reconciliation_run_due ON reconciliation_run (due_at) WHERE state IN ('due', 'renaming');
