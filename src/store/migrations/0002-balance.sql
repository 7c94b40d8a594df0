-- The sums of a payment that others reference, kept by triggers. A payment that nobody references has no row here.

CREATE TABLE balance (
  merchant_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  available INTEGER NOT NULL,
  captured INTEGER NOT NULL,
  refunded INTEGER NOT NULL,
  reversed INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT balance_signs CHECK (available >= 0 AND captured >= 0 AND refunded >= 0 AND reversed >= 0),
  -- What may be captured is never refunded and what may be refunded is never captured, so one sum holds for every type.
  CONSTRAINT balance_overrun CHECK (captured + refunded + reversed <= available)
) STRICT;

-- The same sums as a fold. What is used counts at its most (open and approved), what is available at its least (approved). What was
-- done to an increment was done to the authorisation that it raised too. No GROUP BY, so that a question about one payment looks at
-- its family only.
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
      AND c.payment_type = 'CP' AND c.state <> 'declined'
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
  ) AS INTEGER) AS reversed
FROM payment p;
