-- What the sandbox's acquirer will do with payments, and how far he has come with each merchant's days.

CREATE TABLE later (
  merchant_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  -- As JSON, in one way only: the same act of a payment is written once.
  act TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, payment_id, act)
) STRICT;

CREATE INDEX later_due ON later (due_at, merchant_id);
CREATE INDEX later_due_of_merchant ON later (merchant_id, due_at);

CREATE TABLE settling_day (
  merchant_id TEXT NOT NULL,
  -- Every payment before this instant has been looked at.
  since INTEGER NOT NULL,
  -- When the day that begins there is looked at; null: there is nothing in it yet.
  due_at INTEGER,
  PRIMARY KEY (merchant_id)
) STRICT;

CREATE INDEX settling_day_due ON settling_day (due_at, merchant_id) WHERE due_at IS NOT NULL;
