-- The indexes that only searches need begin with a quarter of a year, or nearly: 90 days. New entries stand together, whatever their values are, so that a
-- payment among many millions finds their pages in memory; and the payments of all merchants with one value stand side by side (decisions/0082). Where it
-- takes too long, they are built before the upgrade, while payments go on: docs/upgrading.md.
DO $$
DECLARE made text;
BEGIN
  -- A building that was interrupted leaves an index that no statement uses.
  FOREACH made IN ARRAY ARRAY['payment_by_last4', 'payment_by_email', 'payment_by_customer', 'payment_by_amount', 'payment_by_short'] LOOP
    IF EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(made) AND NOT indisvalid) THEN
      EXECUTE format('DROP INDEX %I', made);
    END IF;
  END LOOP;
END $$;
-- With the amount and the currency, which are asked for together with a card number.
CREATE INDEX IF NOT EXISTS payment_by_last4 ON payment ((created_at / 7776000000), last4, merchant_id, created_at, id)
  INCLUDE (amount, currency) WHERE last4 IS NOT NULL;
CREATE INDEX IF NOT EXISTS payment_by_email ON payment ((created_at / 7776000000), email_hash, merchant_id, created_at, id)
  WHERE email_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS payment_by_customer ON payment ((created_at / 7776000000), customer_id, merchant_id, created_at, id)
  WHERE customer_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS payment_by_amount ON payment ((created_at / 7776000000), amount, merchant_id, created_at, id);
CREATE INDEX IF NOT EXISTS payment_by_short ON payment ((created_at / 7776000000), short_id, merchant_id, created_at);
DROP INDEX IF EXISTS payment_last4, payment_email, payment_customer, payment_amount, payment_short;
