-- When the rest of an approved authorisation is looked at: it is released after the validity has ended (decisions/0096). -1: never again. Null in an
-- approved authorisation from before the column, or from a node of the release before: it is due immediately, and the job finds its end. Where it takes
-- too long, column and indexes are made before the upgrade, while payments go on: docs/upgrading.md.
ALTER TABLE payment ADD COLUMN IF NOT EXISTS release_at bigint;
DO $$
DECLARE made text;
BEGIN
  -- A building that was interrupted leaves an index that no statement uses.
  FOREACH made IN ARRAY ARRAY['payment_release', 'payment_release_of_merchant'] LOOP
    IF EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(made) AND NOT indisvalid) THEN
      EXECUTE format('DROP INDEX %I', made);
    END IF;
  END LOOP;
END $$;
CREATE INDEX IF NOT EXISTS payment_release ON payment (COALESCE(release_at, 0), id)
  WHERE payment_type = 'PA' AND state = 'approved' AND COALESCE(release_at, 0) >= 0;
CREATE INDEX IF NOT EXISTS payment_release_of_merchant ON payment (merchant_id, COALESCE(release_at, 0), id)
  WHERE payment_type = 'PA' AND state = 'approved' AND COALESCE(release_at, 0) >= 0;
