-- A payment references an approved one of a fitting type only, in its family and its currency. A reversal of nothing may also reference a debit or a
-- credit that was taken back before it left, and is declined.
DROP TRIGGER payment_reference;
CREATE TRIGGER payment_reference BEFORE INSERT ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RB', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  SELECT RAISE(ABORT, 'balance_overrun: the referenced payment cannot carry it')
  WHERE NOT EXISTS (
    SELECT 1 FROM payment p
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.referenced_id
      AND p.family_id = NEW.family_id AND p.currency = NEW.currency AND (
        p.state = 'approved'
        OR (p.state = 'declined' AND NEW.payment_type = 'RV' AND NEW.amount = 0 AND p.payment_type IN ('DB', 'CD'))
      )
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
