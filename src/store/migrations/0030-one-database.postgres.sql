-- Every merchant is in this database again (decisions/0104). A gateway whose merchants are in several databases moves them into one with the release before,
-- whose nodes go on meanwhile: nothing is changed here until that is done.
DO $$
DECLARE
  own text := (SELECT name FROM cell_identity WHERE part = 'cell');
  elsewhere bigint := (SELECT count(*) FROM merchant_cell WHERE own IS NULL OR cell <> own);
  underway bigint := (SELECT count(*) FROM merchant_cell WHERE moving_to IS NOT NULL OR moving_from IS NOT NULL)
    + (SELECT count(*) FROM owned_merchant WHERE state IN ('leaving', 'arriving', 'gone'));
BEGIN
  IF own IS NOT NULL AND NOT EXISTS (SELECT 1 FROM cell_identity WHERE part = 'control') THEN
    RAISE EXCEPTION 'This database is the cell % of a gateway with several databases, which this release does not have. Start it on the control database, after the release before has moved every merchant there: turnpike cells move (docs/upgrading.md)', own
      USING ERRCODE = 'feature_not_supported';
  END IF;
  IF elsewhere > 0 THEN
    RAISE EXCEPTION '% merchants live in other databases (CELLS), and this release has one. Move each of them to the control database with the release before: turnpike cells move (docs/upgrading.md)', elsewhere
      USING ERRCODE = 'feature_not_supported';
  END IF;
  IF underway > 0 THEN
    RAISE EXCEPTION '% moves between databases are not finished. Finish them with the release before: turnpike cells move (docs/upgrading.md)', underway
      USING ERRCODE = 'feature_not_supported';
  END IF;
END $$;

-- The fence goes with its triggers.
DROP FUNCTION check_merchant_fence() CASCADE;
DROP FUNCTION check_record_fence() CASCADE;
DROP FUNCTION check_review_fence() CASCADE;
DROP FUNCTION check_fence(text[]);

-- The guards as they were before merchants moved: nobody passes.
CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: %', TG_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;

CREATE OR REPLACE FUNCTION check_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
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
  ) THEN
    RAISE EXCEPTION 'balance_overrun: the referenced payment cannot carry it'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'balance_overrun';
  END IF;
  RETURN NEW;
END $$;

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

CREATE OR REPLACE FUNCTION check_block() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT COUNT(*) FROM posting WHERE merchant_id = NEW.merchant_id AND block = NEW.number) <> NEW.count THEN
    RAISE EXCEPTION 'ledger_block_whole: it does not hold what it counts'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_block_whole';
  END IF;
  IF NEW.number > 1 AND NOT EXISTS (
    SELECT 1 FROM ledger_block WHERE merchant_id = NEW.merchant_id AND number = NEW.number - 1 AND hash = NEW.previous
  ) THEN
    RAISE EXCEPTION 'ledger_block_whole: it does not follow the block before it'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_block_whole';
  END IF;
  RETURN NULL;
END $$;

DROP FUNCTION is_mover(text);
-- The tables and views stay, without a reader, until a release that no node of the release before stands beside.
