-- The tables, views and indexes that both databases share, in SQLite's spelling: migrate.ts puts PostgreSQL's types in their places.
-- 0002-baseline.sqlite.sql and 0002-baseline.postgres.sql hold what differs: the guards against wrong changes, and a few tables.
--
-- The merchant comes first in every key of a table that belongs to a merchant, so that a distributed engine can shard by it. A key
-- without a merchant says why. Ids are ordered by time, so that inserts append.

-- ---- Merchants ----

-- The hierarchy above merchants is in this table too: its key is global.
CREATE TABLE entity (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  parent_id TEXT REFERENCES entity (id) DEFERRABLE INITIALLY DEFERRED,
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  -- Of two concurrent changes only the first is kept.
  revision INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT entity_kind CHECK (kind IN ('psp', 'division', 'merchant', 'channel'))
) STRICT;

-- A request brings nothing but the token: the lookup by hash is global.
CREATE TABLE access_token (
  token_hash TEXT NOT NULL,
  entity_id TEXT NOT NULL REFERENCES entity (id) DEFERRABLE INITIALLY DEFERRED,
  user_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  name TEXT,
  -- The user of the back office who issued it.
  created_by TEXT,
  -- From this instant on the token is refused; null: no end is set.
  ends_at INTEGER,
  -- The beginning of the day, in UTC, of its last use.
  used_on INTEGER,
  -- One token may give access to several entities.
  PRIMARY KEY (token_hash, entity_id),
  CONSTRAINT access_token_hash CHECK (length(token_hash) = 64 AND token_hash = lower(token_hash))
) STRICT;

-- Clocks of merchants of the test environment that differ from the real time.
CREATE TABLE merchant_clock (
  merchant_id TEXT NOT NULL,
  offset_ms INTEGER NOT NULL,
  frozen_at INTEGER,
  target INTEGER,
  stepped_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  PRIMARY KEY (merchant_id),
  CONSTRAINT merchant_clock_revision CHECK (revision >= 1)
) STRICT;

-- ---- Vault ----

-- The owner is a merchant or the gateway itself.
CREATE TABLE data_key (
  owner TEXT NOT NULL,
  purpose TEXT NOT NULL,
  version INTEGER NOT NULL,
  master_id TEXT NOT NULL,
  wrapped BLOB,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- How many uses were handed out to the nodes.
  reserved INTEGER NOT NULL,
  PRIMARY KEY (owner, purpose, version),
  CONSTRAINT data_key_purpose CHECK (purpose IN ('data', 'fingerprint', 'digest')),
  CONSTRAINT data_key_version CHECK (version >= 1),
  CONSTRAINT data_key_state CHECK (state IN ('current', 'retiring', 'retired')),
  CONSTRAINT data_key_destroyed CHECK ((state = 'retired') = (wrapped IS NULL)),
  CONSTRAINT data_key_reserved CHECK (reserved >= 0)
) STRICT;

CREATE UNIQUE INDEX data_key_current ON data_key (owner, purpose) WHERE state = 'current';

-- An entity above merchants has secrets too.
CREATE TABLE secret (
  entity_id TEXT NOT NULL,
  name TEXT NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (entity_id, name)
) STRICT;

-- ---- Payments ----

CREATE TABLE payment (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  family_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  referenced_id TEXT,
  payment_type TEXT NOT NULL,
  industry_practice TEXT,
  state TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  merchant_transaction_id TEXT,
  short_id TEXT NOT NULL,
  fingerprint TEXT,
  -- The first payment of a family has the version of the family; the others have 0.
  version INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- The rest of the payment as JSON.
  data TEXT NOT NULL,
  sealed BLOB,
  checkout_id TEXT,
  -- Columns that lists and searches filter by; `data` has them too. The email address is a keyed hash.
  method TEXT,
  mode TEXT,
  last4 TEXT,
  brand TEXT,
  code TEXT,
  email_hash TEXT,
  PRIMARY KEY (merchant_id, id),
  CONSTRAINT payment_state CHECK (state IN ('open', 'approved', 'declined')),
  CONSTRAINT payment_due CHECK ((state = 'open') = (due_at IS NOT NULL)),
  -- Thirteen digits and two decimals: thousands of such amounts add up without leaving 64 bits.
  CONSTRAINT payment_amount CHECK (amount BETWEEN 0 AND 999999999999999),
  CONSTRAINT payment_revision CHECK (revision >= 1),
  CONSTRAINT payment_version CHECK ((id = family_id AND version >= 1) OR (id <> family_id AND version = 0)),
  CONSTRAINT payment_family CHECK (id = family_id OR referenced_id IS NOT NULL)
) STRICT;

CREATE INDEX payment_children ON payment (merchant_id, family_id) WHERE referenced_id IS NOT NULL;
-- The sweep takes what is due of all merchants.
CREATE INDEX payment_due ON payment (due_at, id) WHERE state = 'open';
-- The risk engine reads the past of all merchants in the order of time.
CREATE INDEX payment_history ON payment (created_at, merchant_id, id);
-- At most one payment of a checkout is open or approved. A payment without a checkout is in neither index.
CREATE UNIQUE INDEX payment_checkout ON payment (merchant_id, checkout_id) WHERE checkout_id IS NOT NULL AND state <> 'declined';
CREATE INDEX payment_attempts ON payment (merchant_id, checkout_id, created_at, id) WHERE checkout_id IS NOT NULL;
-- Every column that a list filters by is in the index: rows that do not match are never read.
CREATE INDEX payment_listed ON payment (merchant_id, created_at, id, entity_id, payment_type, method, mode, short_id);
CREATE INDEX payment_named ON payment (merchant_id, merchant_transaction_id, created_at, id)
  WHERE merchant_transaction_id IS NOT NULL;
-- Each in the order of lists, so that the newest of millions are found at once.
CREATE INDEX payment_last4 ON payment (merchant_id, last4, created_at, id) WHERE last4 IS NOT NULL;
CREATE INDEX payment_email ON payment (merchant_id, email_hash, created_at, id) WHERE email_hash IS NOT NULL;
CREATE INDEX payment_amount ON payment (merchant_id, amount, created_at, id);
CREATE INDEX payment_declined ON payment (merchant_id, code, created_at, id) WHERE state = 'declined';
CREATE INDEX payment_review ON payment (merchant_id, created_at, id) WHERE code = '000.400.000';

-- The sums of a payment that others reference; triggers maintain them. A payment without references has no row here.
CREATE TABLE balance (
  merchant_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  available INTEGER NOT NULL,
  captured INTEGER NOT NULL,
  refunded INTEGER NOT NULL,
  reversed INTEGER NOT NULL,
  charged_back INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, payment_id),
  -- charged_back has no sign of its own: the row of the chargeback itself limits what is given back.
  CONSTRAINT balance_signs CHECK (available >= 0 AND captured >= 0 AND refunded >= 0 AND reversed >= 0),
  -- What may be captured is never refunded and what may be refunded is never captured, so one sum holds for every type.
  CONSTRAINT balance_overrun CHECK (captured + refunded + reversed + charged_back <= available)
) STRICT;

-- The same sums as a fold. Used amounts count at their most (open and approved), available amounts at their least (approved). What is
-- done to an increment is done to the authorisation that it raises too. Chargebacks count at their most, less their reversals at their
-- least, plus second chargebacks at their most; of a chargeback or a reversal only what was taken of itself is counted. No GROUP BY, so
-- that a query for one payment reads its family only.
CREATE VIEW payment_sums AS
SELECT
  p.merchant_id,
  p.id AS payment_id,
  p.amount + CAST((
    SELECT COALESCE(SUM(i.amount), 0) FROM payment i
    WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
      AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH' AND i.state = 'approved'
  ) AS INTEGER) AS available,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id IS NOT NULL
      AND c.payment_type IN ('CP', 'RC') AND c.state <> 'declined'
      AND (c.referenced_id = p.id OR c.referenced_id IN (
        SELECT i.id FROM payment i
        WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
          AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
      ))
  ) AS INTEGER) AS captured,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id IS NOT NULL
      AND c.payment_type = 'RF' AND c.state <> 'declined'
      AND (c.referenced_id = p.id OR c.referenced_id IN (
        SELECT i.id FROM payment i
        WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
          AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
      ))
  ) AS INTEGER) AS refunded,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id IS NOT NULL
      AND c.payment_type = 'RV' AND c.state <> 'declined'
      AND (c.referenced_id = p.id OR c.referenced_id IN (
        SELECT i.id FROM payment i
        WHERE i.merchant_id = p.merchant_id AND i.family_id = p.family_id AND i.referenced_id = p.id
          AND i.payment_type = 'PA' AND i.industry_practice = 'INCREMENTAL_AUTH'
      ))
  ) AS INTEGER) AS reversed,
  CAST((
    SELECT COALESCE(SUM(c.amount), 0) FROM payment c
    WHERE c.merchant_id = p.merchant_id AND c.family_id = p.family_id AND c.referenced_id = p.id
      AND c.payment_type IN ('CB', 'CR') AND c.state <> 'declined'
  ) - CASE WHEN p.payment_type IN ('CB', 'CR') THEN 0 ELSE (
    SELECT COALESCE(SUM(r.amount), 0) FROM payment b
    JOIN payment r ON r.merchant_id = b.merchant_id AND r.family_id = b.family_id AND r.referenced_id = b.id
    WHERE b.merchant_id = p.merchant_id AND b.family_id = p.family_id AND b.referenced_id = p.id AND b.payment_type = 'CB'
      AND r.payment_type = 'CR' AND r.state = 'approved'
  ) - (
    SELECT COALESCE(SUM(a.amount), 0) FROM payment b
    JOIN payment r ON r.merchant_id = b.merchant_id AND r.family_id = b.family_id AND r.referenced_id = b.id
    JOIN payment a ON a.merchant_id = r.merchant_id AND a.family_id = r.family_id AND a.referenced_id = r.id
    WHERE b.merchant_id = p.merchant_id AND b.family_id = p.family_id AND b.referenced_id = p.id AND b.payment_type = 'CB'
      AND r.payment_type = 'CR' AND a.payment_type = 'CB' AND a.state <> 'declined'
  ) END AS INTEGER) AS charged_back
FROM payment p;

-- Keys of requests; the payment, or the checkout, that the request with the key has made.
CREATE TABLE idempotency (
  merchant_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, entity_id, key)
) STRICT;

CREATE INDEX idempotency_age ON idempotency (created_at);

-- ---- Registrations and wallets ----

CREATE TABLE registration (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  -- The transaction that made it.
  payment_id TEXT NOT NULL,
  state TEXT NOT NULL,
  fingerprint TEXT,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  token_due_at INTEGER,
  revision INTEGER NOT NULL,
  -- The rest of the registration as JSON.
  data TEXT NOT NULL,
  sealed BLOB,
  PRIMARY KEY (merchant_id, id),
  CONSTRAINT registration_state CHECK (state IN ('open', 'active', 'rejected', 'deleted')),
  CONSTRAINT registration_revision CHECK (revision >= 1),
  CONSTRAINT registration_erased CHECK (state IN ('open', 'active') OR sealed IS NULL)
) STRICT;

-- Due work is found for all merchants, and for one whose clock is its own.
CREATE INDEX registration_outlived ON registration (expires_at, id) WHERE state = 'active';
CREATE INDEX registration_outlived_of_merchant ON registration (merchant_id, expires_at, id) WHERE state = 'active';
CREATE INDEX registration_awaiting ON registration (token_due_at, id) WHERE state = 'active' AND token_due_at IS NOT NULL;
CREATE INDEX registration_awaiting_of_merchant ON registration (merchant_id, token_due_at, id)
  WHERE state = 'active' AND token_due_at IS NOT NULL;
CREATE INDEX registration_listed ON registration (merchant_id, created_at, id, entity_id, state);

-- Wallet tokens that were used for a payment: none is used twice.
CREATE TABLE token_use (
  merchant_id TEXT NOT NULL,
  wallet TEXT NOT NULL,
  token_id TEXT NOT NULL,
  until INTEGER NOT NULL,
  payment_id TEXT NOT NULL,
  PRIMARY KEY (merchant_id, wallet, token_id)
) STRICT;

CREATE INDEX token_use_age ON token_use (until);

-- ---- Risk lists ----

CREATE TABLE risk_list_entry (
  merchant_id TEXT NOT NULL,
  list TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  -- Null: no end.
  expires_at INTEGER,
  PRIMARY KEY (merchant_id, list, kind, value),
  CONSTRAINT risk_list_entry_list CHECK (list IN ('block', 'allow')),
  CONSTRAINT risk_list_entry_kind CHECK (kind IN ('card', 'bin', 'email', 'emailDomain', 'ip', 'country', 'customer')),
  CONSTRAINT risk_list_entry_value CHECK (length(value) BETWEEN 1 AND 255)
) STRICT;

CREATE INDEX risk_list_entry_age ON risk_list_entry (expires_at) WHERE expires_at IS NOT NULL;

-- One row with the number of changes of the lists. Triggers maintain it, so that a change by hand is counted too.
CREATE TABLE risk_list_change (
  id INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  CONSTRAINT risk_list_change_one CHECK (id = 1)
) STRICT;

INSERT INTO risk_list_change (id, count) VALUES (1, 0);

-- ---- Checkouts ----

-- A browser knows the id and nothing else: the key is global.
CREATE TABLE checkout (
  id TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  call_at INTEGER,
  revision INTEGER NOT NULL,
  -- The rest of the checkout as JSON.
  data TEXT NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT checkout_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX checkout_call ON checkout (call_at, id) WHERE call_at IS NOT NULL;
CREATE INDEX checkout_call_of_merchant ON checkout (merchant_id, call_at, id) WHERE call_at IS NOT NULL;
CREATE INDEX checkout_age ON checkout (expires_at, id);
CREATE INDEX checkout_listed ON checkout (merchant_id, created_at, id, entity_id, expires_at);

-- Files of the widget, the same for all merchants.
CREATE TABLE widget_asset (
  build TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  bytes BLOB NOT NULL,
  put_at INTEGER NOT NULL,
  PRIMARY KEY (build, name)
) STRICT;

CREATE INDEX widget_asset_age ON widget_asset (put_at);

-- ---- Schedules ----

CREATE TABLE schedule (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  registration_id TEXT NOT NULL,
  state TEXT NOT NULL,
  next_at INTEGER,
  created_at INTEGER NOT NULL,
  -- The instant of the last change while a charge is open; null: none is.
  charge_moved_at INTEGER,
  revision INTEGER NOT NULL,
  -- The rest of the schedule as JSON.
  data TEXT NOT NULL,
  -- Until then a node works on it; 0: none does.
  claimed_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, id),
  CONSTRAINT schedule_state CHECK (state IN ('active', 'ending', 'over')),
  CONSTRAINT schedule_over CHECK ((state = 'over') = (next_at IS NULL)),
  CONSTRAINT schedule_revision CHECK (revision >= 1)
) STRICT; -- fillfactor 80: a claim finds room on its page and touches no index.

CREATE INDEX schedule_next ON schedule (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX schedule_next_of_merchant ON schedule (merchant_id, next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX schedule_registration ON schedule (merchant_id, registration_id, created_at, id);
CREATE INDEX schedule_listed ON schedule (merchant_id, created_at, id, entity_id, state);
-- Finds open charges that a clock which was ahead has dated, of all merchants.
CREATE INDEX schedule_charge_moved ON schedule (charge_moved_at, id) WHERE charge_moved_at IS NOT NULL;

-- The outcome of every instant at which a schedule was due. The key guarantees that no instant is charged twice.
CREATE TABLE schedule_run (
  merchant_id TEXT NOT NULL,
  schedule_id TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  done_at INTEGER NOT NULL,
  payment_id TEXT,
  skipped TEXT,
  PRIMARY KEY (merchant_id, schedule_id, due_at),
  CONSTRAINT schedule_run_outcome CHECK ((payment_id IS NULL) <> (skipped IS NULL))
) STRICT;

-- ---- Outbox and webhooks ----

CREATE TABLE outbox (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  -- The payment, or the registration.
  subject_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  code TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'new',
  action TEXT,
  -- 1: subject_id and revision are those of a registration.
  of_registration INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, id),
  CONSTRAINT outbox_revision CHECK (revision >= 1),
  CONSTRAINT outbox_subject CHECK (of_registration IN (0, 1))
) STRICT;

-- Events of all merchants, in the order of time: those to be fanned out, and those to be deleted.
CREATE INDEX outbox_new ON outbox (created_at) WHERE state = 'new';
CREATE INDEX outbox_fanned_out ON outbox (created_at) WHERE state = 'fanned_out';
-- A payment and a registration may have the same id: each counts its own revisions.
CREATE UNIQUE INDEX outbox_change ON outbox (merchant_id, subject_id, revision) WHERE of_registration = 0;
CREATE UNIQUE INDEX outbox_registration_change ON outbox (merchant_id, subject_id, revision) WHERE of_registration = 1;

-- A webhook may belong to an entity above merchants: its key is global.
CREATE TABLE webhook (
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- The rest of the webhook as JSON.
  data TEXT NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT webhook_state CHECK (state IN ('unproven', 'active', 'paused', 'off')),
  CONSTRAINT webhook_revision CHECK (revision >= 1)
) STRICT;

-- The delivery of one event to one webhook, with a copy of the event: that of the outbox may be deleted sooner. It is found by its id
-- alone, because its webhook may belong to an entity above merchants; so are the deliveries of a webhook.
CREATE TABLE delivery (
  id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  action TEXT,
  code TEXT NOT NULL,
  event_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  -- Not tried before this instant: due_at, or that of an earlier event of the same subject if later. It saves work and decides nothing.
  ready_at INTEGER NOT NULL,
  tries TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Until then a node works on it; 0: none does.
  claimed_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CONSTRAINT delivery_once UNIQUE (merchant_id, event_id, webhook_id),
  CONSTRAINT delivery_state CHECK (state IN ('due', 'delivered', 'dead')),
  CONSTRAINT delivery_revision CHECK (revision >= 1)
) STRICT; -- fillfactor 80: a claim finds room on its page and touches no index.

CREATE INDEX delivery_due ON delivery (webhook_id, ready_at, id) WHERE state = 'due';
CREATE INDEX delivery_due_of_merchant ON delivery (merchant_id, webhook_id, ready_at, id) WHERE state = 'due';
-- One webhook may have most of the rows: the column that tells rows apart best comes first.
CREATE INDEX delivery_subject ON delivery (subject_id, merchant_id, webhook_id, revision) WHERE state = 'due';
CREATE INDEX delivery_about ON delivery (subject_id, merchant_id);
CREATE INDEX delivery_list ON delivery (webhook_id, state, created_at, id);
CREATE INDEX delivery_ended ON delivery (due_at) WHERE state <> 'due';

-- ---- Settlement: files of acquirers and their lines ----

-- A file may belong to an entity above merchants: its key is global.
CREATE TABLE settlement_file (
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  psp_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  state TEXT NOT NULL,
  read_until INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- The rest of the file as JSON.
  data TEXT NOT NULL,
  PRIMARY KEY (id),
  -- The same bytes count once.
  CONSTRAINT settlement_file_once UNIQUE (entity_id, digest),
  CONSTRAINT settlement_file_state CHECK (state IN ('reading', 'kept', 'refused', 'dropping'))
) STRICT;

-- One file of a PSP is read at a time: two could settle the same payment without seeing each other.
CREATE UNIQUE INDEX settlement_file_reading ON settlement_file (psp_id) WHERE state = 'reading';
CREATE INDEX settlement_file_unfinished ON settlement_file (created_at, id) WHERE state IN ('reading', 'dropping');
CREATE INDEX settlement_file_list ON settlement_file (entity_id, created_at, id);

-- A line belongs to a merchant only once it is matched: its key is global.
CREATE TABLE settlement_record (
  -- Made of the file's id and a number within it, so that ids rise with both.
  id TEXT NOT NULL,
  file_id TEXT NOT NULL,
  -- The entity of the file.
  file_entity_id TEXT NOT NULL,
  merchant_id TEXT,
  entity_id TEXT,
  line INTEGER NOT NULL,
  record_type TEXT NOT NULL,
  status TEXT NOT NULL,
  is_open INTEGER NOT NULL,
  -- Of a matched one.
  payment_id TEXT,
  chargeback_id TEXT,
  settled_on TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- What the merchant receives; below zero: what the merchant pays.
  amount INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- The rest of the line as JSON.
  data TEXT NOT NULL,
  -- What the line posts to the ledger, by the rules of settlement/postings.ts; null: nothing.
  booked_currency TEXT,
  booked_settled INTEGER,
  booked_fee INTEGER,
  PRIMARY KEY (id),
  CONSTRAINT settlement_record_status CHECK (status IN ('MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED')),
  CONSTRAINT settlement_record_match CHECK ((status = 'MATCHED') = (payment_id IS NOT NULL)),
  CONSTRAINT settlement_record_owner CHECK (payment_id IS NULL OR merchant_id IS NOT NULL),
  CONSTRAINT settlement_record_open CHECK (is_open IN (0, 1)),
  CONSTRAINT settlement_record_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX settlement_record_file ON settlement_record (file_id, id);
CREATE INDEX settlement_record_day ON settlement_record (merchant_id, settled_on, id) WHERE merchant_id IS NOT NULL;
CREATE INDEX settlement_record_payment ON settlement_record (merchant_id, payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX settlement_record_exception ON settlement_record (file_entity_id, id) WHERE is_open = 1;
-- Chargebacks of all merchants that are matched and not yet recorded.
CREATE INDEX settlement_record_due ON settlement_record (id)
  WHERE status = 'MATCHED' AND chargeback_id IS NULL AND record_type IN ('CHARGEBACK', 'CHARGEBACK REVERSAL');

-- What the acquirer of the sandbox will do with payments.
CREATE TABLE scheduled_settlement (
  merchant_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  -- As JSON with sorted keys: the same act of a payment is written once.
  act TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, payment_id, act)
) STRICT;

CREATE INDEX scheduled_settlement_due ON scheduled_settlement (due_at, merchant_id);
CREATE INDEX scheduled_settlement_due_of_merchant ON scheduled_settlement (merchant_id, due_at);

-- How far the acquirer of the sandbox has come with the days of a merchant.
CREATE TABLE settlement_day (
  merchant_id TEXT NOT NULL,
  -- Every payment before this instant is settled.
  since INTEGER NOT NULL,
  -- When the day that begins there is settled; null: it has no payment yet.
  due_at INTEGER,
  PRIMARY KEY (merchant_id)
) STRICT;

CREATE INDEX settlement_day_due ON settlement_day (due_at, merchant_id) WHERE due_at IS NOT NULL;

-- ---- Reports ----

-- Reconciliation files for merchants: one for each day, and further parts with what arrives later.
CREATE TABLE reconciliation_run (
  merchant_id TEXT NOT NULL,
  day TEXT NOT NULL,
  part INTEGER NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  claimed_until INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- The rest of it as JSON.
  data TEXT NOT NULL,
  PRIMARY KEY (merchant_id, day, part),
  CONSTRAINT reconciliation_run_state CHECK (state IN ('due', 'renaming', 'done', 'failed')),
  CONSTRAINT reconciliation_run_part CHECK (part >= 1),
  CONSTRAINT reconciliation_run_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX reconciliation_run_due ON reconciliation_run (due_at) WHERE state IN ('due', 'renaming');

-- Statistics: every change leaves a line in the queue statistic_change (0002), in its own commit. A fold moves lines from the queue to
-- sheets of sums, in a commit that only the holder of the next revision can make.

-- What the sheets hold of subjects that may still change.
CREATE TABLE statistic_open (
  merchant_id TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (merchant_id, subject_id)
) STRICT, WITHOUT ROWID;

-- Sums of a node of the hierarchy.
CREATE TABLE statistic_sheet (
  node_id TEXT NOT NULL,
  -- A quarter of an hour, an hour or a day, in milliseconds.
  span INTEGER NOT NULL,
  begins INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (node_id, span, begins),
  CONSTRAINT statistic_sheet_begins CHECK (begins % span = 0)
) STRICT; -- fillfactor 70: sheets are updated in place.

CREATE TABLE statistic_fold (
  id INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  CONSTRAINT statistic_fold_one CHECK (id = 1)
) STRICT;

INSERT INTO statistic_fold (id, revision) VALUES (1, 0);

-- ---- Back office ----

-- Users, sessions, invitations, views and the like. Users stand above merchants: the key is global.
CREATE TABLE document (
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (collection, id),
  CONSTRAINT document_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX document_of_owner ON document (collection, owner_id, at, id);
CREATE INDEX document_by_age ON document (collection, at);

-- The audit log is one chain for the whole gateway: each entry has the hash of the entry before it.
CREATE TABLE audit_entry (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  who TEXT NOT NULL,
  who_name TEXT NOT NULL,
  what TEXT NOT NULL,
  entity_id TEXT,
  object_id TEXT,
  origin TEXT NOT NULL,
  result TEXT NOT NULL,
  node TEXT NOT NULL,
  note TEXT,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  CONSTRAINT audit_entry_begins CHECK (number >= 1 AND (number = 1) = (previous = ''))
) STRICT;

CREATE INDEX audit_entry_by_age ON audit_entry (at, number);

-- The end of the chain, apart from it: entries that are cut off the end are missed here. The seal needs a key that is not in the database.
CREATE TABLE audit_head (
  id INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  seal TEXT NOT NULL,
  CONSTRAINT audit_head_one CHECK (id = 1)
) STRICT;

INSERT INTO audit_head (id, number, hash, seal) VALUES (1, 0, '', '');

-- Requests to the API with their replies, masked. Ids are in the order of time: all merchants are trimmed by age along the key, and a
-- call is found by its id alone.
CREATE TABLE api_call (
  id TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT NOT NULL,
  -- What a search by text compares.
  words TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (id)
) STRICT;

CREATE INDEX api_call_of_merchant ON api_call (merchant_id, id);
CREATE INDEX api_call_of_entity ON api_call (entity_id, id);

-- Readiness is tested by writing here; the content means nothing.
CREATE TABLE write_trial (
  id INTEGER NOT NULL PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
