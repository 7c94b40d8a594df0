-- The ledger: what every event does to the accounts of a merchant, each row balanced in itself. Almost the same stands in
-- 0017-ledger.postgres.sql. Here one thread writes, so rows are seen in the order of their numbers and a block is a stretch of them: a
-- posting is never touched again.

CREATE TABLE posting (
  n INTEGER PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  -- The payment, or the settlement's record.
  subject_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL DEFAULT 'payment',
  at INTEGER NOT NULL,
  currency TEXT NOT NULL,
  mode TEXT NOT NULL,
  shopper INTEGER NOT NULL DEFAULT 0,
  reserve INTEGER NOT NULL DEFAULT 0,
  contra INTEGER NOT NULL DEFAULT 0,
  merchant INTEGER NOT NULL DEFAULT 0,
  acquirer INTEGER NOT NULL DEFAULT 0,
  fees INTEGER NOT NULL DEFAULT 0,
  chargebacks INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT posting_kind CHECK (kind IN ('payment', 'settlement')),
  CONSTRAINT posting_balanced CHECK (shopper + reserve + contra + merchant + acquirer + fees + chargebacks = 0)
) STRICT;

CREATE INDEX posting_owner ON posting (merchant_id);

CREATE TABLE ledger_block (
  merchant_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  through_at INTEGER NOT NULL,
  late_ms INTEGER NOT NULL,
  balances TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  -- The postings of this merchant in it: those with numbers from here to there.
  from_n INTEGER NOT NULL,
  to_n INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, number),
  CONSTRAINT ledger_block_count CHECK (number >= 1 AND count >= 1),
  CONSTRAINT ledger_block_begins CHECK ((number = 1) = (previous = ''))
) STRICT, WITHOUT ROWID;

-- For balances of the past: the last block that holds nothing later, and those behind it that hold something earlier.
CREATE INDEX ledger_block_through ON ledger_block (merchant_id, through_at, number);
CREATE INDEX ledger_block_first ON ledger_block (merchant_id, first_at, number);

-- What was there before the books: the postings that it would have made, by the rules of ledger/book.ts.
CREATE TEMPORARY TABLE unbooked AS
SELECT p.merchant_id, p.id, p.revision, p.state, p.payment_type, r.payment_type AS undone, p.amount, p.currency, p.mode, p.created_at,
  json_extract(p.data, '$.movedAt') AS moved_at,
  p.amount * CASE
    WHEN p.payment_type IN ('RF', 'RV') THEN CASE WHEN r.payment_type = 'CD' THEN 1 ELSE -1 END
    WHEN p.payment_type IN ('CD', 'CB') THEN -1
    ELSE 1
  END AS moved
FROM payment p LEFT JOIN payment r ON r.merchant_id = p.merchant_id AND r.id = p.referenced_id
WHERE p.amount > 0 AND p.payment_type IN ('PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'CB', 'CR', 'RB', 'RC');

INSERT INTO posting (merchant_id, subject_id, revision, at, currency, mode, shopper, contra)
SELECT merchant_id, id, 1, created_at, currency, mode, moved, -moved FROM unbooked WHERE state = 'open' OR revision > 1;

INSERT INTO posting (merchant_id, subject_id, revision, at, currency, mode, shopper, reserve, contra, merchant, acquirer, chargebacks)
SELECT merchant_id, id, revision, moved_at, currency, mode, shopper, reserve, -shopper - reserve, merchant, -merchant - chargebacks,
  chargebacks
FROM (
  SELECT u.*,
    CASE WHEN revision > 1 THEN -moved ELSE 0 END AS shopper,
    CASE
      WHEN state <> 'approved' THEN 0
      WHEN payment_type = 'PA' THEN amount
      WHEN payment_type IN ('CP', 'RC') OR (payment_type = 'RV' AND undone = 'PA') THEN -amount
      ELSE 0
    END AS reserve,
    CASE WHEN state <> 'approved' OR payment_type = 'PA' OR (payment_type = 'RV' AND undone = 'PA') THEN 0 ELSE moved END AS merchant,
    CASE WHEN state = 'approved' AND payment_type IN ('CB', 'CR') THEN -moved ELSE 0 END AS chargebacks
  FROM unbooked u WHERE state <> 'open' AND (revision > 1 OR state = 'approved')
) AS booked;

DROP TABLE unbooked;

CREATE TRIGGER posting_stays BEFORE DELETE ON posting
BEGIN
  SELECT RAISE(ABORT, 'posting_stays: a posting is never deleted');
END;

CREATE TRIGGER posting_is_final BEFORE UPDATE ON posting
BEGIN
  SELECT RAISE(ABORT, 'posting_is_final: a posting is never changed');
END;

CREATE TRIGGER ledger_block_is_new BEFORE INSERT ON ledger_block
WHEN EXISTS (SELECT 1 FROM ledger_block WHERE merchant_id = NEW.merchant_id AND number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'ledger_block_is_new: this block is there already');
END;

CREATE TRIGGER ledger_block_stays BEFORE DELETE ON ledger_block
BEGIN
  SELECT RAISE(ABORT, 'ledger_block_stays: a block is never deleted');
END;

CREATE TRIGGER ledger_block_is_final BEFORE UPDATE ON ledger_block
BEGIN
  SELECT RAISE(ABORT, 'ledger_block_is_final: a block is never changed');
END;

-- No half block, and none that shares a posting with another.
CREATE TRIGGER ledger_block_is_whole AFTER INSERT ON ledger_block
BEGIN
  SELECT RAISE(ABORT, 'ledger_block_is_whole: it does not hold what it counts')
  WHERE (SELECT COUNT(*) FROM posting WHERE merchant_id = NEW.merchant_id AND n BETWEEN NEW.from_n AND NEW.to_n) <> NEW.count;
  SELECT RAISE(ABORT, 'ledger_block_is_whole: it does not follow the block before it')
  WHERE NEW.number > 1 AND NOT EXISTS (
    SELECT 1 FROM ledger_block
    WHERE merchant_id = NEW.merchant_id AND number = NEW.number - 1 AND hash = NEW.previous AND to_n < NEW.from_n
  );
END;
