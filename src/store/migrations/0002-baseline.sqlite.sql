-- What only SQLite has, beside 0001-baseline.sql: tables and indexes whose shape follows from its one writer, and the guards that refuse
-- wrong changes from any source. The same rules are in 0002-baseline.postgres.sql.

-- ---- Payments ----

CREATE INDEX payment_short ON payment (merchant_id, short_id);
-- Few payments are made with stored details.
CREATE INDEX payment_stored ON payment
  (merchant_id, substr(data, instr(data, '"registrationId":"') + 18, 32), created_at, id)
  WHERE instr(data, '"registrationId":"') > 0;

-- Payments by hour and by day, so that a page in the middle of millions is found without walking to it. The writer adds to them, once
-- for all payments that it writes together.
CREATE TABLE payment_count (
  merchant_id TEXT NOT NULL,
  -- An hour or a day, in milliseconds.
  span INTEGER NOT NULL,
  begins INTEGER NOT NULL,
  entity_id TEXT NOT NULL,
  payment_type TEXT NOT NULL,
  method TEXT NOT NULL,
  mode TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, span, begins, entity_id, payment_type, method, mode),
  CONSTRAINT payment_count_signs CHECK (count > 0)
) STRICT, WITHOUT ROWID;

-- REPLACE would remove a row without firing the trigger against deletion: no row takes the place of another.
CREATE TRIGGER payment_no_replace BEFORE INSERT ON payment
WHEN EXISTS (SELECT 1 FROM payment WHERE merchant_id = NEW.merchant_id AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM payment WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'payment_no_replace: this payment exists');
END;

CREATE TRIGGER payment_no_delete BEFORE DELETE ON payment
BEGIN
  SELECT RAISE(ABORT, 'payment_no_delete: a payment is never deleted');
END;

CREATE TRIGGER payment_money_fixed BEFORE UPDATE ON payment
WHEN OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.family_id <> NEW.family_id
  OR OLD.entity_id <> NEW.entity_id OR OLD.referenced_id IS DISTINCT FROM NEW.referenced_id
  OR OLD.payment_type <> NEW.payment_type OR OLD.industry_practice IS DISTINCT FROM NEW.industry_practice
  OR OLD.amount <> NEW.amount OR OLD.currency <> NEW.currency OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'payment_money_fixed: what records money is never updated');
END;

CREATE TRIGGER payment_listing_fixed BEFORE UPDATE OF method, mode ON payment
WHEN OLD.method IS DISTINCT FROM NEW.method OR OLD.mode IS DISTINCT FROM NEW.mode
BEGIN
  SELECT RAISE(ABORT, 'payment_listing_fixed: the counted columns are never updated');
END;

CREATE TRIGGER payment_transition BEFORE UPDATE ON payment
WHEN NEW.version NOT IN (OLD.version, OLD.version + 1)
  OR (
    (OLD.revision <> NEW.revision OR OLD.state <> NEW.state OR OLD.due_at IS DISTINCT FROM NEW.due_at OR OLD.data <> NEW.data)
    AND NOT (OLD.state = 'open' AND NEW.revision = OLD.revision + 1)
  )
BEGIN
  SELECT RAISE(ABORT, 'payment_transition: only an open payment moves, and every move raises the revision by one');
END;

-- A payment references an approved one of a fitting type only, in its family and its currency.
CREATE TRIGGER payment_reference BEFORE INSERT ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RB', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  SELECT RAISE(ABORT, 'balance_overrun: the referenced payment cannot carry it')
  WHERE NOT EXISTS (
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
  );
END;

CREATE TRIGGER payment_balance_insert AFTER INSERT ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> 'declined'
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  INSERT INTO balance (merchant_id, payment_id, available, captured, refunded, reversed, charged_back)
  SELECT merchant_id, payment_id, available, captured, refunded, reversed, charged_back FROM payment_sums
  WHERE merchant_id = NEW.merchant_id AND payment_id IN (NEW.referenced_id, (
    SELECT i.referenced_id FROM payment i
    WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.referenced_id
      AND (i.payment_type = 'CB' OR (i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'))
  ), (
    SELECT b.referenced_id FROM payment r JOIN payment b ON b.merchant_id = r.merchant_id AND b.id = r.referenced_id
    WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.referenced_id AND r.payment_type = 'CR'
  ))
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET
    available = excluded.available, captured = excluded.captured, refunded = excluded.refunded, reversed = excluded.reversed,
    charged_back = excluded.charged_back;
END;

CREATE TRIGGER payment_balance_update AFTER UPDATE OF state ON payment
WHEN NEW.referenced_id IS NOT NULL AND NEW.state <> OLD.state
  AND (NEW.payment_type IN ('CP', 'RF', 'RV', 'CB', 'CR', 'RC')
    OR (NEW.payment_type = 'PA' AND NEW.industry_practice = 'INCREMENTAL_AUTH'))
BEGIN
  INSERT INTO balance (merchant_id, payment_id, available, captured, refunded, reversed, charged_back)
  SELECT merchant_id, payment_id, available, captured, refunded, reversed, charged_back FROM payment_sums
  WHERE merchant_id = NEW.merchant_id AND payment_id IN (NEW.referenced_id, (
    SELECT i.referenced_id FROM payment i
    WHERE i.merchant_id = NEW.merchant_id AND i.id = NEW.referenced_id
      AND (i.payment_type = 'CB' OR (i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'))
  ), (
    SELECT b.referenced_id FROM payment r JOIN payment b ON b.merchant_id = r.merchant_id AND b.id = r.referenced_id
    WHERE r.merchant_id = NEW.merchant_id AND r.id = NEW.referenced_id AND r.payment_type = 'CR'
  ))
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET
    available = excluded.available, captured = excluded.captured, refunded = excluded.refunded, reversed = excluded.reversed,
    charged_back = excluded.charged_back;
END;

-- ---- Registrations and keys ----

-- Few registrations are found by their last four digits.
CREATE INDEX registration_last4 ON registration
  (merchant_id, substr(data, instr(data, '"last4Digits":"') + 15, 4), created_at, id)
  WHERE instr(data, '"last4Digits":"') > 0;

CREATE TRIGGER registration_no_replace BEFORE INSERT ON registration
WHEN EXISTS (SELECT 1 FROM registration WHERE merchant_id = NEW.merchant_id AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM registration WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'registration_no_replace: this registration exists');
END;

CREATE TRIGGER registration_no_delete BEFORE DELETE ON registration
BEGIN
  SELECT RAISE(ABORT, 'registration_no_delete: a registration keeps its row, also when its details are deleted');
END;

CREATE TRIGGER registration_origin_fixed BEFORE UPDATE ON registration
WHEN OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.entity_id <> NEW.entity_id
  OR OLD.payment_id <> NEW.payment_id OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'registration_origin_fixed: owner and origin are never updated');
END;

-- The transitions of registrations/moves.ts. A use (used_at, expires_at) and a text that is sealed again do not count.
CREATE TRIGGER registration_transition BEFORE UPDATE ON registration
WHEN (OLD.revision <> NEW.revision OR OLD.state <> NEW.state OR OLD.fingerprint IS DISTINCT FROM NEW.fingerprint
    OR OLD.token_due_at IS DISTINCT FROM NEW.token_due_at OR OLD.data <> NEW.data
    OR (OLD.sealed IS NULL) <> (NEW.sealed IS NULL))
  AND NOT (NEW.revision = OLD.revision + 1 AND ((OLD.state = 'open' AND NEW.state IN ('active', 'rejected', 'deleted'))
    OR (OLD.state = 'active' AND NEW.state IN ('active', 'deleted'))))
BEGIN
  SELECT RAISE(ABORT, 'registration_transition: a registration never moves back, and every move raises the revision by one');
END;

CREATE TRIGGER data_key_no_replace BEFORE INSERT ON data_key
WHEN EXISTS (SELECT 1 FROM data_key WHERE owner = NEW.owner AND purpose = NEW.purpose AND version = NEW.version)
  OR EXISTS (SELECT 1 FROM data_key WHERE rowid = NEW.rowid)
  OR (NEW.state = 'current'
    AND EXISTS (SELECT 1 FROM data_key WHERE owner = NEW.owner AND purpose = NEW.purpose AND state = 'current'))
BEGIN
  SELECT RAISE(ABORT, 'data_key_no_replace: this key exists');
END;

CREATE TRIGGER data_key_no_delete BEFORE DELETE ON data_key
BEGIN
  SELECT RAISE(ABORT, 'data_key_no_delete: a key keeps its row, also when it is destroyed');
END;

CREATE TRIGGER data_key_transition BEFORE UPDATE ON data_key
WHEN OLD.owner <> NEW.owner OR OLD.purpose <> NEW.purpose OR OLD.version <> NEW.version OR OLD.rowid <> NEW.rowid
  OR OLD.created_at <> NEW.created_at OR NEW.reserved < OLD.reserved
  OR NOT (OLD.state = NEW.state OR (OLD.state = 'current' AND NEW.state = 'retiring')
    OR (OLD.state = 'retiring' AND NEW.state = 'retired'))
BEGIN
  SELECT RAISE(ABORT, 'data_key_transition: a key is current, then retiring, then retired, and never moves back');
END;

-- ---- Risk lists: every change is counted ----

CREATE TRIGGER risk_list_entry_inserted AFTER INSERT ON risk_list_entry
BEGIN
  UPDATE risk_list_change SET count = count + 1 WHERE id = 1;
END;

CREATE TRIGGER risk_list_entry_updated AFTER UPDATE ON risk_list_entry
BEGIN
  UPDATE risk_list_change SET count = count + 1 WHERE id = 1;
END;

CREATE TRIGGER risk_list_entry_deleted AFTER DELETE ON risk_list_entry
BEGIN
  UPDATE risk_list_change SET count = count + 1 WHERE id = 1;
END;

CREATE TRIGGER risk_list_change_rises BEFORE UPDATE ON risk_list_change
WHEN NEW.count <= OLD.count OR NEW.id <> OLD.id
BEGIN
  SELECT RAISE(ABORT, 'risk_list_change_rises: changes are counted upwards');
END;

CREATE TRIGGER risk_list_change_no_delete BEFORE DELETE ON risk_list_change
BEGIN
  SELECT RAISE(ABORT, 'risk_list_change_no_delete: changes are counted upwards');
END;

-- ---- Checkouts ----

CREATE TRIGGER payment_checkout_free BEFORE INSERT ON payment
WHEN NEW.checkout_id IS NOT NULL AND NEW.state <> 'declined' AND EXISTS (
  SELECT 1 FROM payment
  WHERE merchant_id = NEW.merchant_id AND checkout_id = NEW.checkout_id AND checkout_id IS NOT NULL AND state <> 'declined'
)
BEGIN
  SELECT RAISE(ABORT, 'payment_checkout: another payment of the checkout is open or approved');
END;

CREATE TRIGGER payment_checkout_fixed BEFORE UPDATE OF checkout_id ON payment
WHEN OLD.checkout_id IS DISTINCT FROM NEW.checkout_id
BEGIN
  SELECT RAISE(ABORT, 'payment_checkout_fixed: the checkout of a payment is never updated');
END;

CREATE TRIGGER checkout_no_replace BEFORE INSERT ON checkout
WHEN EXISTS (SELECT 1 FROM checkout WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM checkout WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'checkout_no_replace: this checkout exists');
END;

CREATE TRIGGER checkout_origin_fixed BEFORE UPDATE ON checkout
WHEN OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.merchant_id <> NEW.merchant_id OR OLD.entity_id <> NEW.entity_id
  OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'checkout_origin_fixed: owner and origin are never updated');
END;

CREATE TRIGGER checkout_transition BEFORE UPDATE ON checkout
WHEN NEW.revision <> OLD.revision + 1
BEGIN
  SELECT RAISE(ABORT, 'checkout_transition: every change of a checkout raises the revision by one');
END;

-- ---- Schedules ----

CREATE TRIGGER schedule_no_replace BEFORE INSERT ON schedule
WHEN EXISTS (SELECT 1 FROM schedule WHERE merchant_id = NEW.merchant_id AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM schedule WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'schedule_no_replace: this schedule exists');
END;

CREATE TRIGGER schedule_no_delete BEFORE DELETE ON schedule
BEGIN
  SELECT RAISE(ABORT, 'schedule_no_delete: a schedule keeps its row, also when it is over');
END;

CREATE TRIGGER schedule_origin_fixed BEFORE UPDATE ON schedule
WHEN OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.entity_id <> NEW.entity_id
  OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'schedule_origin_fixed: owner and origin are never updated');
END;

-- A claim does not count.
CREATE TRIGGER schedule_transition BEFORE UPDATE ON schedule
WHEN (OLD.revision <> NEW.revision OR OLD.registration_id <> NEW.registration_id OR OLD.state <> NEW.state
    OR OLD.next_at IS DISTINCT FROM NEW.next_at OR OLD.data <> NEW.data)
  AND NOT (NEW.revision = OLD.revision + 1 AND OLD.state <> 'over')
BEGIN
  SELECT RAISE(ABORT, 'schedule_transition: every change of a schedule raises the revision by one, and an ended schedule never changes');
END;

CREATE TRIGGER schedule_run_no_replace BEFORE INSERT ON schedule_run
WHEN EXISTS (SELECT 1 FROM schedule_run WHERE merchant_id = NEW.merchant_id AND schedule_id = NEW.schedule_id AND due_at = NEW.due_at)
  OR EXISTS (SELECT 1 FROM schedule_run WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'schedule_run_no_replace: this instant has a run');
END;

CREATE TRIGGER schedule_run_no_delete BEFORE DELETE ON schedule_run
BEGIN
  SELECT RAISE(ABORT, 'schedule_run_no_delete: the outcome of a run is never changed');
END;

CREATE TRIGGER schedule_run_fixed BEFORE UPDATE ON schedule_run
BEGIN
  SELECT RAISE(ABORT, 'schedule_run_fixed: the outcome of a run is never changed');
END;

-- ---- Outbox and webhooks ----

CREATE TRIGGER outbox_event_fixed BEFORE UPDATE ON outbox
WHEN OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.entity_id <> NEW.entity_id
  OR OLD.subject_id <> NEW.subject_id OR OLD.revision <> NEW.revision OR OLD.type <> NEW.type OR OLD.code <> NEW.code
  OR OLD.created_at <> NEW.created_at OR OLD.action IS DISTINCT FROM NEW.action OR OLD.of_registration <> NEW.of_registration
  OR NOT (OLD.state = NEW.state OR (OLD.state = 'new' AND NEW.state = 'fanned_out'))
BEGIN
  SELECT RAISE(ABORT, 'outbox_event_fixed: an event is fanned out once, and never updated');
END;

CREATE TRIGGER outbox_new_no_delete BEFORE DELETE ON outbox
WHEN OLD.state = 'new'
BEGIN
  SELECT RAISE(ABORT, 'outbox_new_no_delete: an event is not deleted before it is fanned out');
END;

CREATE TRIGGER webhook_no_replace BEFORE INSERT ON webhook
WHEN EXISTS (SELECT 1 FROM webhook WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM webhook WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'webhook_no_replace: this webhook exists');
END;

CREATE TRIGGER webhook_origin_fixed BEFORE UPDATE ON webhook
WHEN OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.entity_id <> NEW.entity_id OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'webhook_origin_fixed: owner and origin are never updated');
END;

CREATE TRIGGER webhook_transition BEFORE UPDATE ON webhook
WHEN NEW.revision <> OLD.revision + 1
BEGIN
  SELECT RAISE(ABORT, 'webhook_transition: every change of a webhook raises the revision by one');
END;

CREATE TRIGGER delivery_event_fixed BEFORE UPDATE ON delivery
WHEN OLD.webhook_id <> NEW.webhook_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.merchant_id <> NEW.merchant_id
  OR OLD.event_id <> NEW.event_id OR OLD.entity_id <> NEW.entity_id OR OLD.subject_id <> NEW.subject_id
  OR OLD.revision <> NEW.revision OR OLD.type <> NEW.type OR OLD.action IS DISTINCT FROM NEW.action OR OLD.code <> NEW.code
  OR OLD.event_at <> NEW.event_at OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'delivery_event_fixed: the event and the webhook are never updated');
END;

-- ---- Ledger ----

-- The effect of an event on the accounts of a merchant: each row is balanced in itself. One thread writes, so rows appear in the order of
-- their numbers, a block is a range of them, and a posting never changes. The number, global because the thread counts, is the key.
CREATE TABLE posting (
  n INTEGER PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  -- The payment, or the settlement record.
  subject_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL DEFAULT 'payment',
  at INTEGER NOT NULL,
  currency TEXT NOT NULL,
  mode TEXT NOT NULL,
  shopper INTEGER NOT NULL DEFAULT 0,
  reserve INTEGER NOT NULL DEFAULT 0,
  contra INTEGER NOT NULL DEFAULT 0,
  merchant INTEGER NOT NULL DEFAULT 0,
  acquirer INTEGER NOT NULL DEFAULT 0,
  fees INTEGER NOT NULL DEFAULT 0,
  chargebacks INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT posting_kind CHECK (kind IN ('payment', 'settlement')),
  CONSTRAINT posting_balanced CHECK (shopper + reserve + contra + merchant + acquirer + fees + chargebacks = 0)
) STRICT;

CREATE INDEX posting_owner ON posting (merchant_id);
CREATE INDEX posting_subject ON posting (merchant_id, subject_id, revision);
-- A revision of a settlement record is posted once.
CREATE UNIQUE INDEX posting_settlement ON posting (merchant_id, subject_id, revision) WHERE kind = 'settlement';

CREATE TABLE ledger_block (
  merchant_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  through_at INTEGER NOT NULL,
  late_ms INTEGER NOT NULL,
  balances TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  -- The range of numbers of its postings.
  from_n INTEGER NOT NULL,
  to_n INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, number),
  CONSTRAINT ledger_block_count CHECK (number >= 1 AND count >= 1),
  CONSTRAINT ledger_block_begins CHECK ((number = 1) = (previous = ''))
) STRICT, WITHOUT ROWID;

-- For balances of the past: the last block with nothing later in it, and the blocks behind it with something earlier in them.
CREATE INDEX ledger_block_through ON ledger_block (merchant_id, through_at, number);
CREATE INDEX ledger_block_first ON ledger_block (merchant_id, first_at, number);

CREATE TRIGGER posting_no_delete BEFORE DELETE ON posting
BEGIN
  SELECT RAISE(ABORT, 'posting_no_delete: a posting is never deleted');
END;

CREATE TRIGGER posting_fixed BEFORE UPDATE ON posting
BEGIN
  SELECT RAISE(ABORT, 'posting_fixed: a posting is never changed');
END;

CREATE TRIGGER ledger_block_no_replace BEFORE INSERT ON ledger_block
WHEN EXISTS (SELECT 1 FROM ledger_block WHERE merchant_id = NEW.merchant_id AND number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'ledger_block_no_replace: this block exists');
END;

CREATE TRIGGER ledger_block_no_delete BEFORE DELETE ON ledger_block
BEGIN
  SELECT RAISE(ABORT, 'ledger_block_no_delete: a block is never deleted');
END;

CREATE TRIGGER ledger_block_fixed BEFORE UPDATE ON ledger_block
BEGIN
  SELECT RAISE(ABORT, 'ledger_block_fixed: a block is never changed');
END;

-- No block is incomplete, and none shares a posting with another.
CREATE TRIGGER ledger_block_whole AFTER INSERT ON ledger_block
BEGIN
  SELECT RAISE(ABORT, 'ledger_block_whole: it does not hold what it counts')
  WHERE (SELECT COUNT(*) FROM posting WHERE merchant_id = NEW.merchant_id AND n BETWEEN NEW.from_n AND NEW.to_n) <> NEW.count;
  SELECT RAISE(ABORT, 'ledger_block_whole: it does not follow the block before it')
  WHERE NEW.number > 1 AND NOT EXISTS (
    SELECT 1 FROM ledger_block
    WHERE merchant_id = NEW.merchant_id AND number = NEW.number - 1 AND hash = NEW.previous AND to_n < NEW.from_n
  );
END;

-- ---- Audit log ----

CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'audit_entry_no_delete: an entry is never deleted');
END;

CREATE TRIGGER audit_entry_fixed BEFORE UPDATE ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'audit_entry_fixed: an entry is never changed');
END;

CREATE TRIGGER audit_entry_follows BEFORE INSERT ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'audit_entry_follows: this entry exists')
  WHERE EXISTS (SELECT 1 FROM audit_entry WHERE number = NEW.number);
  SELECT RAISE(ABORT, 'audit_entry_follows: it does not follow the entry before it')
  WHERE NEW.number > 1 AND NOT EXISTS (SELECT 1 FROM audit_entry WHERE number = NEW.number - 1 AND hash = NEW.previous);
END;

CREATE TRIGGER audit_head_no_delete BEFORE DELETE ON audit_head
BEGIN
  SELECT RAISE(ABORT, 'audit_head_no_delete: the head is never deleted');
END;

CREATE TRIGGER audit_head_advances BEFORE UPDATE ON audit_head
WHEN NEW.id <> OLD.id OR NEW.number <= OLD.number
BEGIN
  SELECT RAISE(ABORT, 'audit_head_advances: the head only advances');
END;

-- ---- Statistics ----

-- The queue of changes of all merchants, in the order of their commits.
CREATE TABLE statistic_change (
  n INTEGER PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  -- The payment, or the delivery.
  subject_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  -- Null: the fold reads the payment.
  line TEXT
) STRICT;
