-- Statistics: what changes leaves a line in a queue, in its own commit; a fold takes lines out of it and adds them to sheets of sums, in
-- a commit that only the one whose revision comes next may make. Almost the same stands in 0025-statistics.postgres.sql.

CREATE TABLE statistic_change (
  n INTEGER PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  -- The payment, or the delivery.
  subject_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  -- Null: from before, to be read from the payment.
  line TEXT
) STRICT;

-- What the sheets hold of subjects that may still change.
CREATE TABLE statistic_open (
  merchant_id TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (merchant_id, subject_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE statistic_sheet (
  node_id TEXT NOT NULL,
  -- A quarter of an hour, an hour or a day, in milliseconds.
  span INTEGER NOT NULL,
  begins INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (node_id, span, begins),
  CONSTRAINT statistic_sheet_begins CHECK (begins % span = 0)
) STRICT;

CREATE TABLE statistic_fold (
  id INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  CONSTRAINT statistic_fold_one CHECK (id = 1)
) STRICT;

INSERT INTO statistic_fold (id, revision) VALUES (1, 0);

-- What was there before: the end of a payment never changes, so that the past can be counted whenever there is time, the newest first.
INSERT INTO statistic_change (n, merchant_id, subject_id, revision)
SELECT ROW_NUMBER() OVER (ORDER BY created_at, merchant_id, id)
    - (SELECT COUNT(*) FROM payment WHERE state <> 'open' AND payment_type IN ('PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'CB', 'CR', 'RB', 'RC')) - 1,
  merchant_id, id, revision
FROM payment WHERE state <> 'open' AND payment_type IN ('PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'CB', 'CR', 'RB', 'RC');

-- What is open stands in the queue before its next change.
INSERT INTO statistic_change (n, merchant_id, subject_id, revision)
SELECT ROW_NUMBER() OVER (), merchant_id, id, revision
FROM payment WHERE state = 'open' AND payment_type IN ('PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'CB', 'CR', 'RB', 'RC');
