-- What the database itself refuses, whoever asks. The same rules stand in 0003-guards.postgres.sql.

-- A row may not come in the place of another: REPLACE would remove it without asking the guard against deletion.
CREATE TRIGGER payment_is_new BEFORE INSERT ON payment
WHEN EXISTS (SELECT 1 FROM payment WHERE merchant_id = NEW.merchant_id AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM payment WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'payment_is_new: this payment is there already');
END;

CREATE TRIGGER payment_stays BEFORE DELETE ON payment
BEGIN
  SELECT RAISE(ABORT, 'payment_stays: a payment is never deleted');
END;

CREATE TRIGGER payment_money_stays BEFORE UPDATE ON payment
WHEN OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.family_id <> NEW.family_id
  OR OLD.entity_id <> NEW.entity_id OR OLD.referenced_id IS DISTINCT FROM NEW.referenced_id
  OR OLD.payment_type <> NEW.payment_type OR OLD.industry_practice IS DISTINCT FROM NEW.industry_practice
  OR OLD.amount <> NEW.amount OR OLD.currency <> NEW.currency OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'payment_money_stays: what records money is never updated');
END;

CREATE TRIGGER payment_moves BEFORE UPDATE ON payment
WHEN NEW.version NOT IN (OLD.version, OLD.version + 1)
  OR (
    (OLD.revision <> NEW.revision OR OLD.state <> NEW.state OR OLD.due_at IS DISTINCT FROM NEW.due_at OR OLD.data <> NEW.data)
    AND NOT (OLD.state = 'open' AND NEW.revision = OLD.revision + 1)
  )
BEGIN
  SELECT RAISE(ABORT, 'payment_moves: only an open payment moves, and every move is counted');
END;

-- Money is taken from, or added to, an approved payment of a fitting type only, in its family and its currency.
CREATE TRIGGER payment_reference BEFORE INSERT ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV') OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  SELECT RAISE(ABORT, 'balance_overrun: the referenced payment cannot carry it')
  WHERE NOT EXISTS (
    SELECT 1 FROM payment p
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.referenced_id
      AND p.family_id = NEW.family_id AND p.currency = NEW.currency AND p.state = 'approved'
      AND CASE NEW.payment_type
        WHEN 'CP' THEN p.payment_type = 'PA'
        WHEN 'RF' THEN p.payment_type IN ('DB', 'CD', 'CP')
        WHEN 'RV' THEN p.payment_type IN ('PA', 'DB', 'CD', 'CP')
        ELSE p.payment_type = 'PA' AND p.industry_practice IS DISTINCT FROM 'INCREMENTAL_AUTH'
      END
  );
END;

CREATE TRIGGER payment_counts AFTER INSERT ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV') OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  INSERT INTO balance (merchant_id, payment_id, available, captured, refunded, reversed)
  SELECT merchant_id, payment_id, available, captured, refunded, reversed FROM payment_sums
  WHERE merchant_id = NEW.merchant_id AND payment_id IN (NEW.referenced_id, (
    SELECT i.referenced_id FROM payment i
    WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.referenced_id
      AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
  ))
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET
    available = excluded.available, captured = excluded.captured, refunded = excluded.refunded, reversed = excluded.reversed;
END;

CREATE TRIGGER payment_counts_anew AFTER UPDATE OF state ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> OLD.state
  AND (NEW.payment_type IN ('CP', 'RF', 'RV') OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  INSERT INTO balance (merchant_id, payment_id, available, captured, refunded, reversed)
  SELECT merchant_id, payment_id, available, captured, refunded, reversed FROM payment_sums
  WHERE merchant_id = NEW.merchant_id AND payment_id IN (NEW.referenced_id, (
    SELECT i.referenced_id FROM payment i
    WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.referenced_id
      AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
  ))
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET
    available = excluded.available, captured = excluded.captured, refunded = excluded.refunded, reversed = excluded.reversed;
END;
