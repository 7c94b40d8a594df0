-- The ledger: what every event does to the accounts of a merchant, each row balanced in itself. Almost the same stands in
-- 0017-ledger.sqlite.sql. Here rows become visible in any order, so a posting is told its block when it is sealed.

CREATE TABLE posting (
  merchant_id text COLLATE "C" NOT NULL,
  -- 0 until it is sealed. It stands in front, so that a chain is read as it was written and what is unsealed is found without an index.
  block bigint NOT NULL DEFAULT 0,
  -- The payment, or the settlement's record.
  subject_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  kind text COLLATE "C" NOT NULL DEFAULT 'payment',
  at bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  shopper bigint NOT NULL DEFAULT 0,
  reserve bigint NOT NULL DEFAULT 0,
  contra bigint NOT NULL DEFAULT 0,
  merchant bigint NOT NULL DEFAULT 0,
  acquirer bigint NOT NULL DEFAULT 0,
  fees bigint NOT NULL DEFAULT 0,
  chargebacks bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, block, subject_id, revision),
  CONSTRAINT posting_kind CHECK (kind IN ('payment', 'settlement')),
  CONSTRAINT posting_balanced CHECK (shopper + reserve + contra + merchant + acquirer + fees + chargebacks = 0)
);

CREATE TABLE ledger_block (
  merchant_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  count bigint NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  through_at bigint NOT NULL,
  late_ms bigint NOT NULL,
  balances text COLLATE "C" NOT NULL,
  previous text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (merchant_id, number),
  CONSTRAINT ledger_block_count CHECK (number >= 1 AND count >= 1),
  CONSTRAINT ledger_block_begins CHECK ((number = 1) = (previous = ''))
);

-- For balances of the past: the last block that holds nothing later, and those behind it that hold something earlier.
CREATE INDEX ledger_block_through ON ledger_block (merchant_id, through_at, number);
CREATE INDEX ledger_block_first ON ledger_block (merchant_id, first_at, number);

-- What was there before the books: the postings that it would have made, by the rules of ledger/book.ts.
CREATE TEMPORARY TABLE unbooked AS
SELECT p.merchant_id, p.id, p.revision, p.state, p.payment_type, r.payment_type AS undone, p.amount, p.currency, p.mode, p.created_at,
  (p.data::json ->> 'movedAt')::bigint AS moved_at,
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

CREATE TRIGGER posting_is_fresh BEFORE INSERT ON posting
FOR EACH ROW WHEN (NEW.block <> 0)
EXECUTE FUNCTION refuse('it would be in a block that was sealed without it');

CREATE TRIGGER posting_stays BEFORE DELETE ON posting
FOR EACH ROW EXECUTE FUNCTION refuse('a posting is never deleted');

CREATE TRIGGER posting_all_stay BEFORE TRUNCATE ON posting
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a posting is never deleted');

CREATE TRIGGER posting_is_sealed_once BEFORE UPDATE ON posting
FOR EACH ROW
WHEN (OLD.block <> 0 OR NEW.block <= 0
  OR OLD.merchant_id <> NEW.merchant_id OR OLD.subject_id <> NEW.subject_id OR OLD.revision <> NEW.revision
  OR OLD.kind <> NEW.kind OR OLD.at <> NEW.at
  OR OLD.currency <> NEW.currency OR OLD.mode <> NEW.mode
  OR OLD.shopper <> NEW.shopper OR OLD.reserve <> NEW.reserve OR OLD.contra <> NEW.contra
  OR OLD.merchant <> NEW.merchant OR OLD.acquirer <> NEW.acquirer OR OLD.fees <> NEW.fees OR OLD.chargebacks <> NEW.chargebacks)
EXECUTE FUNCTION refuse('all that ever changes is that it is sealed');

CREATE TRIGGER ledger_block_stays BEFORE DELETE ON ledger_block
FOR EACH ROW EXECUTE FUNCTION refuse('a block is never deleted');

CREATE TRIGGER ledger_block_all_stay BEFORE TRUNCATE ON ledger_block
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a block is never deleted');

CREATE TRIGGER ledger_block_is_final BEFORE UPDATE ON ledger_block
FOR EACH ROW EXECUTE FUNCTION refuse('a block is never changed');

-- No half block, whatever the order in which it and its postings are written.
CREATE FUNCTION check_block() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT COUNT(*) FROM posting WHERE merchant_id = NEW.merchant_id AND block = NEW.number) <> NEW.count THEN
    RAISE EXCEPTION 'ledger_block_is_whole: it does not hold what it counts'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_block_is_whole';
  END IF;
  IF NEW.number > 1 AND NOT EXISTS (
    SELECT 1 FROM ledger_block WHERE merchant_id = NEW.merchant_id AND number = NEW.number - 1 AND hash = NEW.previous
  ) THEN
    RAISE EXCEPTION 'ledger_block_is_whole: it does not follow the block before it'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_block_is_whole';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER ledger_block_is_whole AFTER INSERT ON ledger_block
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION check_block();
