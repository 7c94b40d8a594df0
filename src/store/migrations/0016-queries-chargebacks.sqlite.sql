-- Queries: what a list is filtered by stands in columns of its own, and payments are counted by hour and by day as they come, so
-- that a page in the middle of millions is found without walking to it. Chargebacks: the sums of 0002 and the guards of 0003 know
-- them. The same stands in 0016-queries-chargebacks.postgres.sql.

ALTER TABLE payment ADD COLUMN method TEXT;
ALTER TABLE payment ADD COLUMN mode TEXT;
UPDATE payment SET method = json_extract(data, '$.method'), mode = json_extract(data, '$.mode');

-- All that a list is filtered by is in the index: rows that are passed over are never read.
CREATE INDEX payment_listed ON payment (merchant_id, created_at, id, entity_id, payment_type, method, mode, short_id);
CREATE INDEX payment_named ON payment (merchant_id, merchant_transaction_id, created_at, id)
  WHERE merchant_transaction_id IS NOT NULL;

CREATE TABLE payment_count (
  merchant_id TEXT NOT NULL,
  -- An hour or a day, in milliseconds.
  span INTEGER NOT NULL,
  begins INTEGER NOT NULL,
  entity_id TEXT NOT NULL,
  payment_type TEXT NOT NULL,
  method TEXT NOT NULL,
  mode TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, span, begins, entity_id, payment_type, method, mode),
  CONSTRAINT payment_count_signs CHECK (count > 0)
) STRICT, WITHOUT ROWID;

INSERT INTO payment_count (merchant_id, span, begins, entity_id, payment_type, method, mode, count)
SELECT merchant_id, s.span, created_at - created_at % s.span AS begins, entity_id, payment_type,
  COALESCE(method, '') AS method, COALESCE(mode, '') AS mode, COUNT(*)
FROM payment CROSS JOIN (SELECT 3600000 AS span UNION ALL SELECT 86400000) s
GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- From here on the writer adds to them, once for all the payments that it writes together.

CREATE TRIGGER payment_listing_stays BEFORE UPDATE OF method, mode ON payment
WHEN OLD.method IS DISTINCT FROM NEW.method OR OLD.mode IS DISTINCT FROM NEW.mode
BEGIN
  SELECT RAISE(ABORT, 'payment_listing_stays: what lists are made by is never updated');
END;

DROP TRIGGER payment_reference;
DROP TRIGGER payment_counts;
DROP TRIGGER payment_counts_anew;
DROP VIEW payment_sums;

CREATE TABLE balance_next (
  merchant_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  available INTEGER NOT NULL,
  captured INTEGER NOT NULL,
  refunded INTEGER NOT NULL,
  reversed INTEGER NOT NULL,
  charged_back INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, payment_id),
  -- That no more is given back than was taken is said by the row of the chargeback.
  CONSTRAINT balance_signs CHECK (available >= 0 AND captured >= 0 AND refunded >= 0 AND reversed >= 0),
  CONSTRAINT balance_overrun CHECK (captured + refunded + reversed + charged_back <= available)
) STRICT;

INSERT INTO balance_next (merchant_id, payment_id, available, captured, refunded, reversed)
SELECT merchant_id, payment_id, available, captured, refunded, reversed FROM balance;
DROP TABLE balance;
ALTER TABLE balance_next RENAME TO balance;

-- The same fold as in 0002. What a bank took back counts as used: chargebacks at their most, less what it gave back at its least,
-- and the second chargebacks again at their most. They stand below each other and no deeper; of a chargeback or its reversal only
-- what was taken of itself is counted.
CREATE VIEW payment_sums AS
SELECT
  p.merchant_id,
  p.id AS payment_id,
  p.amount + CAST((
    SELECT COALESCE(SUM(i.amount), 0) FROM payment i
    WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
      AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH' AND i.state = 'approved'
  ) AS INTEGER) AS available,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id IS NOT NULL
      AND c.payment_type IN ('CP', 'RC') AND c.state <> 'declined'
      AND (c.referenced_id = p.id OR c.referenced_id IN (
        SELECT i.id FROM payment i
        WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
          AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
      ))
  ) AS INTEGER) AS captured,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id IS NOT NULL
      AND c.payment_type = 'RF' AND c.state <> 'declined'
      AND (c.referenced_id = p.id OR c.referenced_id IN (
        SELECT i.id FROM payment i
        WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
          AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
      ))
  ) AS INTEGER) AS refunded,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id IS NOT NULL
      AND c.payment_type = 'RV' AND c.state <> 'declined'
      AND (c.referenced_id = p.id OR c.referenced_id IN (
        SELECT i.id FROM payment i
        WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
          AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
      ))
  ) AS INTEGER) AS reversed,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id = p.id
      AND c.payment_type IN ('CB', 'CR') AND c.state <> 'declined'
  ) - CASE WHEN p.payment_type IN ('CB', 'CR') THEN 0 ELSE (
    SELECT COALESCE(SUM(r.amount), 0) FROM payment b
    JOIN payment r ON r.merchant_id = b.merchant_id AND r.family_id = b.family_id AND r.referenced_id = b.id
    WHERE b.merchant_id = p.merchant_id AND b.family_id = p.family_id AND b.referenced_id = p.id AND b.payment_type = 'CB'
      AND r.payment_type = 'CR' AND r.state = 'approved'
  ) - (
    SELECT COALESCE(SUM(a.amount), 0) FROM payment b
    JOIN payment r ON r.merchant_id = b.merchant_id AND r.family_id = b.family_id AND r.referenced_id = b.id
    JOIN payment a ON a.merchant_id = r.merchant_id AND a.family_id = r.family_id AND a.referenced_id = r.id
    WHERE b.merchant_id = p.merchant_id AND b.family_id = p.family_id AND b.referenced_id = p.id AND b.payment_type = 'CB'
      AND r.payment_type = 'CR' AND a.payment_type = 'CB' AND a.state <> 'declined'
  ) END AS INTEGER) AS charged_back
FROM payment p;

-- What is taken from a payment is taken from an approved one of a fitting type only, in its family and its currency.
CREATE TRIGGER payment_reference BEFORE INSERT ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RB', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  SELECT RAISE(ABORT, 'balance_overrun: the referenced payment cannot carry it')
  WHERE NOT EXISTS (
    SELECT 1 FROM payment p
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.referenced_id
      AND p.family_id = NEW.family_id AND p.currency = NEW.currency AND p.state = 'approved'
      AND CASE NEW.payment_type
        WHEN 'CP' THEN p.payment_type = 'PA'
        WHEN 'RF' THEN p.payment_type IN ('DB', 'CD', 'CP', 'RB', 'RC')
        WHEN 'RV' THEN p.payment_type IN ('PA', 'DB', 'CD', 'CP')
        WHEN 'CB' THEN p.payment_type IN ('DB', 'CP', 'RF', 'RB', 'CR')
        WHEN 'CR' THEN p.payment_type = 'CB' AND NOT EXISTS (
          SELECT 1 FROM payment r WHERE r.merchant_id = p.merchant_id AND r.id = p.referenced_id AND r.payment_type = 'CR'
        )
        WHEN 'RB' THEN p.payment_type = 'DB'
        WHEN 'RC' THEN p.payment_type = 'PA'
        ELSE p.payment_type = 'PA' AND p.industry_practice IS DISTINCT FROM 'INCREMENTAL_AUTH'
      END
  );
END;

CREATE TRIGGER payment_counts AFTER INSERT ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  INSERT INTO balance (merchant_id, payment_id, available, captured, refunded, reversed, charged_back)
  SELECT merchant_id, payment_id, available, captured, refunded, reversed, charged_back FROM payment_sums
  WHERE merchant_id = NEW.merchant_id AND payment_id IN (NEW.referenced_id, (
    SELECT i.referenced_id FROM payment i
    WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.referenced_id
      AND (i.payment_type = 'CB' OR (i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'))
  ), (
    SELECT b.referenced_id FROM payment r JOIN payment b ON b.merchant_id = r.merchant_id AND b.id = r.referenced_id
    WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.referenced_id AND r.payment_type = 'CR'
  ))
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET
    available = excluded.available, captured = excluded.captured, refunded = excluded.refunded, reversed = excluded.reversed,
    charged_back = excluded.charged_back;
END;

CREATE TRIGGER payment_counts_anew AFTER UPDATE OF state ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> OLD.state
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  INSERT INTO balance (merchant_id, payment_id, available, captured, refunded, reversed, charged_back)
  SELECT merchant_id, payment_id, available, captured, refunded, reversed, charged_back FROM payment_sums
  WHERE merchant_id = NEW.merchant_id AND payment_id IN (NEW.referenced_id, (
    SELECT i.referenced_id FROM payment i
    WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.referenced_id
      AND (i.payment_type = 'CB' OR (i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'))
  ), (
    SELECT b.referenced_id FROM payment r JOIN payment b ON b.merchant_id = r.merchant_id AND b.id = r.referenced_id
    WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.referenced_id AND r.payment_type = 'CR'
  ))
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET
    available = excluded.available, captured = excluded.captured, refunded = excluded.refunded, reversed = excluded.reversed,
    charged_back = excluded.charged_back;
END;
