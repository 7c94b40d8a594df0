-- What the database itself refuses, whoever asks. The same rules stand in 0003-guards.sqlite.sql.

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: %', TG_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;

CREATE TRIGGER payment_stays BEFORE DELETE ON payment
FOR EACH ROW EXECUTE FUNCTION refuse('a payment is never deleted');

CREATE TRIGGER payment_all_stay BEFORE TRUNCATE ON payment
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a payment is never deleted');

CREATE TRIGGER payment_money_stays BEFORE UPDATE ON payment
FOR EACH ROW
WHEN (OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.family_id <> NEW.family_id
  OR OLD.entity_id <> NEW.entity_id OR OLD.referenced_id IS DISTINCT FROM NEW.referenced_id
  OR OLD.payment_type <> NEW.payment_type OR OLD.industry_practice IS DISTINCT FROM NEW.industry_practice
  OR OLD.amount <> NEW.amount OR OLD.currency <> NEW.currency OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('what records money is never updated');

CREATE TRIGGER payment_moves BEFORE UPDATE ON payment
FOR EACH ROW
WHEN (NEW.version NOT IN (OLD.version, OLD.version + 1)
  OR (
    (OLD.revision <> NEW.revision OR OLD.state <> NEW.state OR OLD.due_at IS DISTINCT FROM NEW.due_at OR OLD.data <> NEW.data)
    AND NOT (OLD.state = 'open' AND NEW.revision = OLD.revision + 1)
  ))
EXECUTE FUNCTION refuse('only an open payment moves, and every move is counted');

-- Money is taken from, or added to, an approved payment of a fitting type only, in its family and its currency.
CREATE FUNCTION check_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM payment p
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.referenced_id
      AND p.family_id = NEW.family_id AND p.currency = NEW.currency AND p.state = 'approved'
      AND CASE NEW.payment_type
        WHEN 'CP' THEN p.payment_type = 'PA'
        WHEN 'RF' THEN p.payment_type IN ('DB', 'CD', 'CP')
        WHEN 'RV' THEN p.payment_type IN ('PA', 'DB', 'CD', 'CP')
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
  AND (NEW.payment_type IN ('CP', 'RF', 'RV') OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH')))
EXECUTE FUNCTION check_reference();

-- The row of sums is touched before the fold is read: whoever counts for the same payment at the same time waits here, and then sees
-- what the other has committed (or fails, where the transaction's view of the world is frozen).
CREATE FUNCTION count_reference() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted text[] := ARRAY[NEW.referenced_id] || ARRAY(
    SELECT i.referenced_id FROM payment i
    WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.referenced_id
      AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
  );
  counted_id text;
BEGIN
  INSERT INTO balance (merchant_id, payment_id, available, captured, refunded, reversed)
  SELECT NEW.merchant_id, one, 0, 0, 0, 0 FROM unnest(counted) AS one ORDER BY one
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET available = balance.available;
  FOREACH counted_id IN ARRAY counted LOOP
    UPDATE balance SET (available, captured, refunded, reversed) = (
      SELECT s.available, s.captured, s.refunded, s.reversed FROM payment_sums s
      WHERE s.merchant_id = NEW.merchant_id AND s.payment_id = counted_id
    )
    WHERE merchant_id = NEW.merchant_id AND payment_id = counted_id;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER payment_counts AFTER INSERT ON payment
FOR EACH ROW
WHEN (NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV') OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH')))
EXECUTE FUNCTION count_reference();

CREATE TRIGGER payment_counts_anew AFTER UPDATE OF state ON payment
FOR EACH ROW
WHEN (NEW.referenced_id IS NOT NULL AND NEW.state <> OLD.state
  AND (NEW.payment_type IN ('CP', 'RF', 'RV') OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH')))
EXECUTE FUNCTION count_reference();
