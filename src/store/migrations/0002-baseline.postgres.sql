-- What only PostgreSQL has, beside 0001-baseline.sql: tables and indexes whose shape follows from its many writers, and the guards that
-- refuse wrong changes from any source. The same rules are in 0002-baseline.sqlite.sql; that no row takes the place of another is
-- guaranteed by the keys.

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: %', TG_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;

-- ---- Payments ----

-- With the merchant first the planner would take it for an order by id.
CREATE INDEX payment_short ON payment (short_id, merchant_id);
-- Few payments are made with stored details.
CREATE INDEX payment_stored ON payment
  (merchant_id, substr(data, strpos(data, '"registrationId":"') + 18, 32), created_at, id)
  WHERE strpos(data, '"registrationId":"') > 0;

-- Payments by hour and by day, so that a page in the middle of millions is found without walking to it.
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

-- Once for a statement, after all its other locks, and in one order.
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

CREATE TRIGGER payment_counted AFTER INSERT ON payment
REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_payments();

CREATE TRIGGER payment_no_delete BEFORE DELETE ON payment
FOR EACH ROW EXECUTE FUNCTION refuse('a payment is never deleted');

CREATE TRIGGER payment_no_truncate BEFORE TRUNCATE ON payment
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a payment is never deleted');

CREATE TRIGGER payment_money_fixed BEFORE UPDATE ON payment
FOR EACH ROW
WHEN (OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.family_id <> NEW.family_id
  OR OLD.entity_id <> NEW.entity_id OR OLD.referenced_id IS DISTINCT FROM NEW.referenced_id
  OR OLD.payment_type <> NEW.payment_type OR OLD.industry_practice IS DISTINCT FROM NEW.industry_practice
  OR OLD.amount <> NEW.amount OR OLD.currency <> NEW.currency OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('what records money is never updated');

CREATE TRIGGER payment_listing_fixed BEFORE UPDATE OF method, mode ON payment
FOR EACH ROW WHEN (OLD.method IS DISTINCT FROM NEW.method OR OLD.mode IS DISTINCT FROM NEW.mode)
EXECUTE FUNCTION refuse('the counted columns are never updated');

CREATE TRIGGER payment_transition BEFORE UPDATE ON payment
FOR EACH ROW
WHEN (NEW.version NOT IN (OLD.version, OLD.version + 1)
  OR (
    (OLD.revision <> NEW.revision OR OLD.state <> NEW.state OR OLD.due_at IS DISTINCT FROM NEW.due_at OR OLD.data <> NEW.data)
    AND NOT (OLD.state = 'open' AND NEW.revision = OLD.revision + 1)
  ))
EXECUTE FUNCTION refuse('only an open payment moves, and every move raises the revision by one');

-- A payment references an approved one of a fitting type only, in its family and its currency.
CREATE FUNCTION check_reference() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- The rows of sums are locked before the fold is read: a concurrent transaction that counts for the same payment waits here and then sees
-- what this one has committed, or fails where its snapshot is frozen.
CREATE FUNCTION count_reference() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER payment_balance_insert AFTER INSERT ON payment
FOR EACH ROW
WHEN (NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH')))
EXECUTE FUNCTION count_reference();

CREATE TRIGGER payment_balance_update AFTER UPDATE OF state ON payment
FOR EACH ROW
WHEN (NEW.referenced_id IS NOT NULL AND NEW.state <> OLD.state
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH')))
EXECUTE FUNCTION count_reference();

-- Raised by the statement that writes a batch of commits when one of them contradicts what is stored.
CREATE FUNCTION broken_commit(payment_id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the stored payment % is not the one that the commit continues', payment_id
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'broken_commit';
END $$;

-- ---- Registrations and keys ----

-- Few registrations are found by their last four digits.
CREATE INDEX registration_last4 ON registration
  (merchant_id, substr(data, strpos(data, '"last4Digits":"') + 15, 4), created_at, id)
  WHERE strpos(data, '"last4Digits":"') > 0;

CREATE TRIGGER registration_no_delete BEFORE DELETE ON registration
FOR EACH ROW EXECUTE FUNCTION refuse('a registration keeps its row, also when its details are deleted');

CREATE TRIGGER registration_no_truncate BEFORE TRUNCATE ON registration
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a registration keeps its row, also when its details are deleted');

CREATE TRIGGER registration_origin_fixed BEFORE UPDATE ON registration
FOR EACH ROW
WHEN (OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.entity_id <> NEW.entity_id
  OR OLD.payment_id <> NEW.payment_id OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('owner and origin are never updated');

-- The transitions of registrations/moves.ts. A use (used_at, expires_at) and a text that is sealed again do not count.
CREATE TRIGGER registration_transition BEFORE UPDATE ON registration
FOR EACH ROW
WHEN ((OLD.revision <> NEW.revision OR OLD.state <> NEW.state OR OLD.fingerprint IS DISTINCT FROM NEW.fingerprint
    OR OLD.token_due_at IS DISTINCT FROM NEW.token_due_at OR OLD.data <> NEW.data
    OR (OLD.sealed IS NULL) <> (NEW.sealed IS NULL))
  AND NOT (NEW.revision = OLD.revision + 1 AND ((OLD.state = 'open' AND NEW.state IN ('active', 'rejected', 'deleted'))
    OR (OLD.state = 'active' AND NEW.state IN ('active', 'deleted')))))
EXECUTE FUNCTION refuse('a registration never moves back, and every move raises the revision by one');

-- Raised by the statement that writes a batch of commits when another commit was first with a registration.
CREATE FUNCTION registration_moved(registration_id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the registration % is not at the revision before', registration_id
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'registration_moved';
END $$;

CREATE TRIGGER data_key_no_delete BEFORE DELETE ON data_key
FOR EACH ROW EXECUTE FUNCTION refuse('a key keeps its row, also when it is destroyed');

CREATE TRIGGER data_key_no_truncate BEFORE TRUNCATE ON data_key
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a key keeps its row, also when it is destroyed');

CREATE TRIGGER data_key_transition BEFORE UPDATE ON data_key
FOR EACH ROW
WHEN (OLD.owner <> NEW.owner OR OLD.purpose <> NEW.purpose OR OLD.version <> NEW.version OR OLD.created_at <> NEW.created_at
  OR NEW.reserved < OLD.reserved
  OR NOT (OLD.state = NEW.state OR (OLD.state = 'current' AND NEW.state = 'retiring')
    OR (OLD.state = 'retiring' AND NEW.state = 'retired')))
EXECUTE FUNCTION refuse('a key is current, then retiring, then retired, and never moves back');

-- ---- Risk lists ----

-- Every change is counted, once for a statement: the row with the number is the last that a statement locks, so that two changes of the
-- lists wait for each other and never deadlock.
CREATE FUNCTION count_list_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM touched) THEN
    UPDATE risk_list_change SET count = count + 1 WHERE id = 1;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION count_list_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE risk_list_change SET count = count + 1 WHERE id = 1;
  RETURN NULL;
END $$;

CREATE TRIGGER risk_list_entry_inserted AFTER INSERT ON risk_list_entry
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();

CREATE TRIGGER risk_list_entry_updated AFTER UPDATE ON risk_list_entry
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();

CREATE TRIGGER risk_list_entry_deleted AFTER DELETE ON risk_list_entry
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();

CREATE TRIGGER risk_list_entry_truncated AFTER TRUNCATE ON risk_list_entry
FOR EACH STATEMENT EXECUTE FUNCTION count_list_truncate();

CREATE TRIGGER risk_list_change_rises BEFORE UPDATE ON risk_list_change
FOR EACH ROW WHEN (NEW.count <= OLD.count OR NEW.id <> OLD.id)
EXECUTE FUNCTION refuse('changes are counted upwards');

CREATE TRIGGER risk_list_change_no_delete BEFORE DELETE ON risk_list_change
FOR EACH ROW EXECUTE FUNCTION refuse('changes are counted upwards');

CREATE TRIGGER risk_list_change_no_truncate BEFORE TRUNCATE ON risk_list_change
FOR EACH STATEMENT EXECUTE FUNCTION refuse('changes are counted upwards');

-- ---- Checkouts ----

-- Of two concurrent payments of a checkout the index payment_checkout lets one wait for the other.
CREATE TRIGGER payment_checkout_fixed BEFORE UPDATE OF checkout_id ON payment
FOR EACH ROW
WHEN (OLD.checkout_id IS DISTINCT FROM NEW.checkout_id)
EXECUTE FUNCTION refuse('the checkout of a payment is never updated');

CREATE TRIGGER checkout_origin_fixed BEFORE UPDATE ON checkout
FOR EACH ROW
WHEN (OLD.id <> NEW.id OR OLD.merchant_id <> NEW.merchant_id OR OLD.entity_id <> NEW.entity_id
  OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('owner and origin are never updated');

CREATE TRIGGER checkout_transition BEFORE UPDATE ON checkout
FOR EACH ROW
WHEN (NEW.revision <> OLD.revision + 1)
EXECUTE FUNCTION refuse('every change of a checkout raises the revision by one');

-- ---- Schedules ----

CREATE TRIGGER schedule_no_delete BEFORE DELETE ON schedule
FOR EACH ROW EXECUTE FUNCTION refuse('a schedule keeps its row, also when it is over');

CREATE TRIGGER schedule_no_truncate BEFORE TRUNCATE ON schedule
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a schedule keeps its row, also when it is over');

CREATE TRIGGER schedule_origin_fixed BEFORE UPDATE ON schedule
FOR EACH ROW
WHEN (OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.entity_id <> NEW.entity_id
  OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('owner and origin are never updated');

-- A claim does not count.
CREATE TRIGGER schedule_transition BEFORE UPDATE ON schedule
FOR EACH ROW
WHEN ((OLD.revision <> NEW.revision OR OLD.registration_id <> NEW.registration_id OR OLD.state <> NEW.state
    OR OLD.next_at IS DISTINCT FROM NEW.next_at OR OLD.data <> NEW.data)
  AND NOT (NEW.revision = OLD.revision + 1 AND OLD.state <> 'over'))
EXECUTE FUNCTION refuse('every change of a schedule raises the revision by one, and an ended schedule never changes');

-- Raised by the statement that writes a batch of commits when another commit was first with a schedule.
CREATE FUNCTION schedule_moved(schedule_id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the schedule % is not at the revision before', schedule_id
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'schedule_moved';
END $$;

CREATE TRIGGER schedule_run_no_delete BEFORE DELETE ON schedule_run
FOR EACH ROW EXECUTE FUNCTION refuse('the outcome of a run is never changed');

CREATE TRIGGER schedule_run_no_truncate BEFORE TRUNCATE ON schedule_run
FOR EACH STATEMENT EXECUTE FUNCTION refuse('the outcome of a run is never changed');

CREATE TRIGGER schedule_run_fixed BEFORE UPDATE ON schedule_run
FOR EACH ROW EXECUTE FUNCTION refuse('the outcome of a run is never changed');

-- ---- Outbox and webhooks ----

CREATE TRIGGER outbox_event_fixed BEFORE UPDATE ON outbox
FOR EACH ROW
WHEN (OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.entity_id <> NEW.entity_id
  OR OLD.subject_id <> NEW.subject_id OR OLD.revision <> NEW.revision OR OLD.type <> NEW.type OR OLD.code <> NEW.code
  OR OLD.created_at <> NEW.created_at OR OLD.action IS DISTINCT FROM NEW.action OR OLD.of_registration <> NEW.of_registration
  OR NOT (OLD.state = NEW.state OR (OLD.state = 'new' AND NEW.state = 'fanned_out')))
EXECUTE FUNCTION refuse('an event is fanned out once, and never updated');

CREATE TRIGGER outbox_new_no_delete BEFORE DELETE ON outbox
FOR EACH ROW
WHEN (OLD.state = 'new')
EXECUTE FUNCTION refuse('an event is not deleted before it is fanned out');

CREATE TRIGGER outbox_no_truncate BEFORE TRUNCATE ON outbox
FOR EACH STATEMENT EXECUTE FUNCTION refuse('an event is not deleted before it is fanned out');

CREATE TRIGGER webhook_origin_fixed BEFORE UPDATE ON webhook
FOR EACH ROW
WHEN (OLD.id <> NEW.id OR OLD.entity_id <> NEW.entity_id OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('owner and origin are never updated');

CREATE TRIGGER webhook_transition BEFORE UPDATE ON webhook
FOR EACH ROW
WHEN (NEW.revision <> OLD.revision + 1)
EXECUTE FUNCTION refuse('every change of a webhook raises the revision by one');

CREATE TRIGGER delivery_event_fixed BEFORE UPDATE ON delivery
FOR EACH ROW
WHEN (OLD.webhook_id <> NEW.webhook_id OR OLD.id <> NEW.id OR OLD.merchant_id <> NEW.merchant_id OR OLD.event_id <> NEW.event_id
  OR OLD.entity_id <> NEW.entity_id OR OLD.subject_id <> NEW.subject_id OR OLD.revision <> NEW.revision OR OLD.type <> NEW.type
  OR OLD.action IS DISTINCT FROM NEW.action OR OLD.code <> NEW.code OR OLD.event_at <> NEW.event_at
  OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('the event and the webhook are never updated');

-- ---- Ledger ----

-- The effect of an event on the accounts of a merchant: each row is balanced in itself. Rows become visible in any order, so a posting
-- receives its block when it is sealed.
CREATE TABLE posting (
  merchant_id text COLLATE "C" NOT NULL,
  -- 0 until it is sealed. It follows the merchant in the key: a chain is read in its order, and unsealed postings are found.
  block bigint NOT NULL DEFAULT 0,
  -- The payment, or the settlement record.
  subject_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  kind text COLLATE "C" NOT NULL DEFAULT 'payment',
  at bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  shopper bigint NOT NULL DEFAULT 0,
  reserve bigint NOT NULL DEFAULT 0,
  contra bigint NOT NULL DEFAULT 0,
  merchant bigint NOT NULL DEFAULT 0,
  acquirer bigint NOT NULL DEFAULT 0,
  fees bigint NOT NULL DEFAULT 0,
  chargebacks bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, block, subject_id, revision),
  CONSTRAINT posting_kind CHECK (kind IN ('payment', 'settlement')),
  CONSTRAINT posting_balanced CHECK (shopper + reserve + contra + merchant + acquirer + fees + chargebacks = 0)
);

-- A revision of a settlement record is posted once.
CREATE UNIQUE INDEX posting_settlement ON posting (merchant_id, subject_id, revision) WHERE kind = 'settlement';

CREATE TABLE ledger_block (
  merchant_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  count bigint NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  through_at bigint NOT NULL,
  late_ms bigint NOT NULL,
  balances text COLLATE "C" NOT NULL,
  previous text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (merchant_id, number),
  CONSTRAINT ledger_block_count CHECK (number >= 1 AND count >= 1),
  CONSTRAINT ledger_block_begins CHECK ((number = 1) = (previous = ''))
);

-- For balances of the past: the last block with nothing later in it, and the blocks behind it with something earlier in them.
CREATE INDEX ledger_block_through ON ledger_block (merchant_id, through_at, number);
CREATE INDEX ledger_block_first ON ledger_block (merchant_id, first_at, number);

CREATE TRIGGER posting_unsealed BEFORE INSERT ON posting
FOR EACH ROW WHEN (NEW.block <> 0)
EXECUTE FUNCTION refuse('a posting begins outside every block');

CREATE TRIGGER posting_no_delete BEFORE DELETE ON posting
FOR EACH ROW EXECUTE FUNCTION refuse('a posting is never deleted');

CREATE TRIGGER posting_no_truncate BEFORE TRUNCATE ON posting
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a posting is never deleted');

CREATE TRIGGER posting_sealed_once BEFORE UPDATE ON posting
FOR EACH ROW
WHEN (OLD.block <> 0 OR NEW.block <= 0
  OR OLD.merchant_id <> NEW.merchant_id OR OLD.subject_id <> NEW.subject_id OR OLD.revision <> NEW.revision
  OR OLD.kind <> NEW.kind OR OLD.at <> NEW.at
  OR OLD.currency <> NEW.currency OR OLD.mode <> NEW.mode
  OR OLD.shopper <> NEW.shopper OR OLD.reserve <> NEW.reserve OR OLD.contra <> NEW.contra
  OR OLD.merchant <> NEW.merchant OR OLD.acquirer <> NEW.acquirer OR OLD.fees <> NEW.fees OR OLD.chargebacks <> NEW.chargebacks)
EXECUTE FUNCTION refuse('a posting changes once, when it is sealed');

CREATE TRIGGER ledger_block_no_delete BEFORE DELETE ON ledger_block
FOR EACH ROW EXECUTE FUNCTION refuse('a block is never deleted');

CREATE TRIGGER ledger_block_no_truncate BEFORE TRUNCATE ON ledger_block
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a block is never deleted');

CREATE TRIGGER ledger_block_fixed BEFORE UPDATE ON ledger_block
FOR EACH ROW EXECUTE FUNCTION refuse('a block is never changed');

-- No block is incomplete, whatever the order in which it and its postings are written.
CREATE FUNCTION check_block() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE CONSTRAINT TRIGGER ledger_block_whole AFTER INSERT ON ledger_block
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION check_block();

-- ---- Audit log ----

-- An append moves the head first, and so waits for every other append: one chain.
CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry
FOR EACH ROW EXECUTE FUNCTION refuse('an entry is never deleted');

CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry
FOR EACH STATEMENT EXECUTE FUNCTION refuse('an entry is never deleted');

CREATE TRIGGER audit_entry_fixed BEFORE UPDATE ON audit_entry
FOR EACH ROW EXECUTE FUNCTION refuse('an entry is never changed');

CREATE FUNCTION check_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number > 1 AND NOT EXISTS (SELECT 1 FROM audit_entry WHERE number = NEW.number - 1 AND hash = NEW.previous) THEN
    RAISE EXCEPTION 'audit_entry_follows: it does not follow the entry before it'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'audit_entry_follows';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER audit_entry_follows BEFORE INSERT ON audit_entry
FOR EACH ROW EXECUTE FUNCTION check_audit_entry();

CREATE TRIGGER audit_head_no_delete BEFORE DELETE ON audit_head
FOR EACH ROW EXECUTE FUNCTION refuse('the head is never deleted');

CREATE TRIGGER audit_head_no_truncate BEFORE TRUNCATE ON audit_head
FOR EACH STATEMENT EXECUTE FUNCTION refuse('the head is never deleted');

CREATE TRIGGER audit_head_advances BEFORE UPDATE ON audit_head
FOR EACH ROW WHEN (NEW.id <> OLD.id OR NEW.number <= OLD.number)
EXECUTE FUNCTION refuse('the head only advances');

-- ---- Statistics ----

-- The queue of changes of all merchants. Lines may become visible in another order than that of their numbers: a fold deletes those that
-- it has read, each by its number.
CREATE TABLE statistic_change (
  n bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  -- The payment, or the delivery.
  subject_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  -- Null: the fold reads the payment.
  line text
);
