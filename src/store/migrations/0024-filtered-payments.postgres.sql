-- The index of lists holds every column that a search filters by, except the hash of the address and the customer: payments that do not fit are passed
-- over in the index, and their rows are never read (decisions/0075). Where it takes too long, it is built before the upgrade, while payments go on:
-- docs/upgrading.md.
DO $$ BEGIN
  -- A building that was interrupted leaves an index that no statement uses.
  IF EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('payment_filtered') AND NOT indisvalid) THEN
    DROP INDEX payment_filtered;
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS payment_filtered ON payment (merchant_id, created_at, id)
  INCLUDE (entity_id, payment_type, method, mode, short_id, state, brand, code, currency, amount, last4, merchant_transaction_id);
-- Every statement that went along this one finds the same columns in the same order there.
DROP INDEX IF EXISTS payment_listed;
-- Only a vacuum says of a page that its rows need no look. A share of the table would leave a million payments of 50 million without it, so that a search
-- would read the rows of the newest after all; a vacuum reads the new pages alone.
ALTER TABLE payment SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000);
