-- Queries: what a list is filtered by stands in columns of its own, and payments are counted by hour and by day as they come, so
-- that a page in the middle of millions is found without walking to it. Chargebacks: the sums of 0002 and the guards of 0003 know
-- them. The same stands in 0016-queries-chargebacks.sqlite.sql.

ALTER TABLE payment ADD COLUMN method text;
ALTER TABLE payment ADD COLUMN mode text;
UPDATE payment SET method = data::jsonb ->> 'method', mode = data::jsonb ->> 'mode';

-- All that a list is filtered by is in the index: rows that are passed over are never read.
CREATE INDEX payment_listed ON payment (merchant_id, created_at, id, entity_id, payment_type, method, mode, short_id);
CREATE INDEX payment_named ON payment (merchant_id, merchant_transaction_id, created_at, id)
  WHERE merchant_transaction_id IS NOT NULL;

CREATE TABLE payment_count (
  merchant_id text NOT NULL,
  -- An hour or a day, in milliseconds.
  span bigint NOT NULL,
  begins bigint NOT NULL,
  entity_id text NOT NULL,
  payment_type text NOT NULL,
  method text NOT NULL,
  mode text NOT NULL,
  -- Connections count in rows of their own, so that they hardly ever wait for each other.
  share smallint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (merchant_id, span, begins, entity_id, payment_type, method, mode, share),
  CONSTRAINT payment_count_signs CHECK (count > 0)
) WITH (fillfactor = 70);

INSERT INTO payment_count (merchant_id, span, begins, entity_id, payment_type, method, mode, share, count)
SELECT merchant_id, s.span, created_at - created_at % s.span, entity_id, payment_type,
  COALESCE(method, ''), COALESCE(mode, ''), 0, COUNT(*)
FROM payment CROSS JOIN (VALUES (3600000::bigint), (86400000::bigint)) s (span)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- Once for a statement, after everything else that it locks, and in one order.
CREATE FUNCTION count_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_count (merchant_id, span, begins, entity_id, payment_type, method, mode, share, count)
  SELECT merchant_id, s.span, created_at - created_at % s.span, entity_id, payment_type,
    COALESCE(method, ''), COALESCE(mode, ''), pg_backend_pid() % 4, COUNT(*)
  FROM fresh CROSS JOIN (VALUES (3600000::bigint), (86400000::bigint)) s (span)
  GROUP BY 1, 2, 3, 4, 5, 6, 7
  ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (merchant_id, span, begins, entity_id, payment_type, method, mode, share)
  DO UPDATE SET count = payment_count.count + excluded.count;
  RETURN NULL;
END $$;

CREATE TRIGGER payment_is_counted AFTER INSERT ON payment
REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_payments();

CREATE TRIGGER payment_listing_stays BEFORE UPDATE OF method, mode ON payment
FOR EACH ROW WHEN (OLD.method IS DISTINCT FROM NEW.method OR OLD.mode IS DISTINCT FROM NEW.mode)
EXECUTE FUNCTION refuse('what lists are made by is never updated');

DROP TRIGGER payment_reference ON payment;
DROP TRIGGER payment_counts ON payment;
DROP TRIGGER payment_counts_anew ON payment;
DROP VIEW payment_sums;

ALTER TABLE balance ADD COLUMN charged_back bigint NOT NULL DEFAULT 0;
ALTER TABLE balance DROP CONSTRAINT balance_overrun;
-- That no more is given back than was taken is said by the row of the chargeback.
ALTER TABLE balance ADD CONSTRAINT balance_overrun CHECK (captured + refunded + reversed + charged_back <= available);

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
  ) AS bigint) AS available,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id IS NOT NULL
      AND c.payment_type IN ('CP', 'RC') AND c.state <> 'declined'
      AND (c.referenced_id = p.id OR c.referenced_id IN (
        SELECT i.id FROM payment i
        WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
          AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
      ))
  ) AS bigint) AS captured,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id IS NOT NULL
      AND c.payment_type = 'RF' AND c.state <> 'declined'
      AND (c.referenced_id = p.id OR c.referenced_id IN (
        SELECT i.id FROM payment i
        WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
          AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
      ))
  ) AS bigint) AS refunded,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id IS NOT NULL
      AND c.payment_type = 'RV' AND c.state <> 'declined'
      AND (c.referenced_id = p.id OR c.referenced_id IN (
        SELECT i.id FROM payment i
        WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
          AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
      ))
  ) AS bigint) AS reversed,
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
  ) END AS bigint) AS charged_back
FROM payment p;

-- What is taken from a payment is taken from an approved one of a fitting type only, in its family and its currency.
CREATE OR REPLACE FUNCTION check_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
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
  ) THEN
    RAISE EXCEPTION 'balance_overrun: the referenced payment cannot carry it'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'balance_overrun';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER payment_reference BEFORE INSERT ON payment
FOR EACH ROW
WHEN (NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RB', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH')))
EXECUTE FUNCTION check_reference();

-- As in 0003: the rows of sums are touched before the fold is read, so that whoever counts for the same payment waits.
CREATE OR REPLACE FUNCTION count_reference() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted text[] := ARRAY[NEW.referenced_id] || ARRAY(
    SELECT i.referenced_id FROM payment i
    WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.referenced_id
      AND (i.payment_type = 'CB' OR (i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'))
    UNION ALL
    SELECT b.referenced_id FROM payment r JOIN payment b ON b.merchant_id = r.merchant_id AND b.id = r.referenced_id
    WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.referenced_id AND r.payment_type = 'CR'
  );
  counted_id text;
BEGIN
  INSERT INTO balance (merchant_id, payment_id, available, captured, refunded, reversed)
  SELECT NEW.merchant_id, one, 0, 0, 0, 0 FROM unnest(counted) AS one ORDER BY one
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET available = balance.available;
  FOREACH counted_id IN ARRAY counted LOOP
    UPDATE balance SET (available, captured, refunded, reversed, charged_back) = (
      SELECT s.available, s.captured, s.refunded, s.reversed, s.charged_back FROM payment_sums s
      WHERE s.merchant_id = NEW.merchant_id AND s.payment_id = counted_id
    )
    WHERE merchant_id = NEW.merchant_id AND payment_id = counted_id;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER payment_counts AFTER INSERT ON payment
FOR EACH ROW
WHEN (NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH')))
EXECUTE FUNCTION count_reference();

CREATE TRIGGER payment_counts_anew AFTER UPDATE OF state ON payment
FOR EACH ROW
WHEN (NEW.referenced_id IS NOT NULL AND NEW.state <> OLD.state
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH')))
EXECUTE FUNCTION count_reference();
