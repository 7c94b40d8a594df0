-- A merchant moves to another cell while it takes payments (decisions/0071).

-- Where a merchant is going, and the cell whose rows about it are still to be removed. While one of them is set, nodes read the map for each call.
ALTER TABLE merchant_cell ADD COLUMN moving_to text COLLATE "C";
ALTER TABLE merchant_cell ADD COLUMN moving_from text COLLATE "C";
ALTER TABLE merchant_cell ADD CONSTRAINT merchant_cell_one_move CHECK (moving_to IS NULL OR moving_from IS NULL);

-- here: writes. leaving: writes, and their keys are noted. arriving: a copy that is not complete. gone: rows that are being removed. left: nothing.
ALTER TABLE owned_merchant DROP CONSTRAINT owned_merchant_state;
ALTER TABLE owned_merchant ADD CONSTRAINT owned_merchant_state CHECK (state IN ('here', 'leaving', 'arriving', 'gone', 'left'));
-- Of a merchant who is leaving: until then nothing is written. It ends by itself, so that a mover who dies stops no merchant.
ALTER TABLE owned_merchant ADD COLUMN stopped_until timestamptz;
-- The run of the mover. A later run takes over, and what an earlier one still sends is refused.
ALTER TABLE owned_merchant ADD COLUMN mover text COLLATE "C";
CREATE INDEX owned_merchant_moving ON owned_merchant (merchant_id) WHERE state IN ('leaving', 'arriving', 'gone');

-- Merchants with rows here that are a copy. Nothing reads them but the mover.
CREATE VIEW absent_merchant AS
SELECT merchant_id FROM owned_merchant WHERE state IN ('leaving', 'arriving', 'gone') AND state <> 'leaving';
-- And those whose writes are stopped: their work waits.
CREATE VIEW idle_merchant AS
SELECT merchant_id FROM owned_merchant
WHERE state IN ('leaving', 'arriving', 'gone') AND (state <> 'leaving' OR stopped_until > statement_timestamp());

-- The keys of rows that have changed since a merchant began to leave, in the order of the changes.
CREATE TABLE moving_key (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  relation text COLLATE "C" NOT NULL,
  -- A JSON object of the columns of the key.
  key text COLLATE "C" NOT NULL
);
CREATE INDEX moving_key_of_merchant ON moving_key (merchant_id, n);

-- In the cell that a merchant goes to: the last key that was copied of each table; null: all of it was.
CREATE TABLE moving_progress (
  merchant_id text COLLATE "C" NOT NULL,
  relation text COLLATE "C" NOT NULL,
  after text COLLATE "C",
  PRIMARY KEY (merchant_id, relation)
);

-- Whether this transaction is that of the mover of a merchant whose rows are a copy.
CREATE FUNCTION is_mover(merchant text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN COALESCE(current_setting('turnpike.mover', true), '') <> '' AND EXISTS (
    SELECT 1 FROM owned_merchant o
    WHERE o.merchant_id = merchant AND o.state IN ('arriving', 'gone') AND o.mover = current_setting('turnpike.mover', true)
  );
END $$;

-- The guards let the mover pass: a copy comes in the state that its row has, and goes as a whole.
CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'ROW' AND COALESCE(current_setting('turnpike.mover', true), '') <> '' THEN
    IF TG_OP = 'DELETE' THEN
      IF is_mover(to_jsonb(OLD) ->> 'merchant_id') THEN RETURN OLD; END IF;
    ELSIF is_mover(to_jsonb(NEW) ->> 'merchant_id') THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION '%: %', TG_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;

-- Waits for a move of these merchants, refuses those whose rows cannot be written here, and answers whether keys are noted. The lock is shared between
-- writers and held until they commit: whoever takes it alone has waited for all of them, and those who come later read what it has changed.
CREATE FUNCTION check_fence(merchants text[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  stranger text;
  is_noted boolean;
BEGIN
  IF cardinality(merchants) = 0 THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended(one, 7120946218)) FROM unnest(merchants) one;
  SELECT
    min(m.id) FILTER (WHERE NOT COALESCE(
      o.state = 'here' OR (o.state = 'leaving' AND COALESCE(o.stopped_until <= clock_timestamp(), true))
        OR (o.state IN ('arriving', 'gone') AND o.mover = current_setting('turnpike.mover', true)), false)),
    bool_or(o.state = 'leaving')
  INTO stranger, is_noted
  FROM unnest(merchants) m (id) LEFT JOIN owned_merchant o ON o.merchant_id = m.id;
  IF stranger IS NOT NULL THEN
    RAISE EXCEPTION 'merchant_fence: the merchant % does not live in this cell', stranger
      USING ERRCODE = 'check_violation', CONSTRAINT = 'merchant_fence';
  END IF;
  RETURN COALESCE(is_noted, false);
END $$;

-- Its argument, if any: the columns of the key, without blanks.
CREATE OR REPLACE FUNCTION check_merchant_fence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF check_fence(ARRAY(SELECT DISTINCT merchant_id FROM changed WHERE merchant_id IS NOT NULL ORDER BY 1)) AND TG_NARGS > 0 THEN
    EXECUTE format(
      'INSERT INTO moving_key (merchant_id, relation, key)
       SELECT c.merchant_id, %L, json_build_object(%s)::text
       FROM changed c JOIN owned_merchant o ON o.merchant_id = c.merchant_id AND o.state = ''leaving''',
      TG_TABLE_NAME,
      (SELECT string_agg(format('%L, c.%I', one, one), ', ') FROM unnest(string_to_array(TG_ARGV[0], ',')) one)
    );
  END IF;
  RETURN NULL;
END $$;

-- A line of a settlement file may have a merchant of another cell while it is on its way there. It is refused only while its merchant leaves and is stopped.
CREATE FUNCTION check_record_fence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended(one.merchant_id, 7120946218))
  FROM (SELECT DISTINCT merchant_id FROM changed WHERE merchant_id IS NOT NULL ORDER BY 1) one;
  IF check_fence(ARRAY(
    SELECT DISTINCT c.merchant_id FROM changed c JOIN owned_merchant o ON o.merchant_id = c.merchant_id AND o.state = 'leaving' ORDER BY 1
  )) THEN
    INSERT INTO moving_key (merchant_id, relation, key)
    SELECT c.merchant_id, TG_TABLE_NAME, json_build_object('id', c.id)::text
    FROM changed c JOIN owned_merchant o ON o.merchant_id = c.merchant_id AND o.state = 'leaving';
  END IF;
  RETURN NULL;
END $$;

-- The decisions about payments are documents with their merchant as the owner. All other documents are in control.
CREATE FUNCTION check_review_fence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF check_fence(ARRAY(SELECT DISTINCT owner_id FROM changed WHERE collection = TG_ARGV[0] ORDER BY 1)) THEN
    INSERT INTO moving_key (merchant_id, relation, key)
    SELECT c.owner_id, TG_TABLE_NAME, json_build_object('collection', c.collection, 'id', c.id)::text
    FROM changed c JOIN owned_merchant o ON o.merchant_id = c.owner_id AND o.state = 'leaving'
    WHERE c.collection = TG_ARGV[0];
  END IF;
  RETURN NULL;
END $$;

-- The functions of the baseline, which leave the rows of the mover alone: what they check and count is copied, and compared.
CREATE OR REPLACE FUNCTION check_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_mover(NEW.merchant_id) THEN RETURN NEW; END IF;
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
  IF is_mover(NEW.merchant_id) THEN RETURN NULL; END IF;
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
  IF is_mover(NEW.merchant_id) THEN RETURN NULL; END IF;
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
