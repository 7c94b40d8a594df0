-- One text for both databases, in SQLite's spelling: migrate.ts puts PostgreSQL's types in their places.
-- The merchant is in front of every key, so that a distributed engine can shard by it; ids are time-ordered, so that inserts append.

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
  -- The family's version stands on its first payment; 0 on the others.
  version INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- The rest of the payment as JSON.
  data TEXT NOT NULL,
  sealed BLOB,
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
CREATE INDEX payment_due ON payment (due_at, id) WHERE state = 'open';

CREATE TABLE idempotency (
  entity_id TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (entity_id, key)
) STRICT;

CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE outbox (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  code TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'new',
  PRIMARY KEY (merchant_id, id),
  CONSTRAINT outbox_change UNIQUE (merchant_id, payment_id, revision),
  CONSTRAINT outbox_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX outbox_new ON outbox (created_at) WHERE state = 'new';

CREATE TABLE entity (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  parent_id TEXT REFERENCES entity (id) DEFERRABLE INITIALLY DEFERRED,
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  CONSTRAINT entity_kind CHECK (kind IN ('psp', 'division', 'merchant', 'channel'))
) STRICT;

CREATE TABLE access_token (
  token_hash TEXT NOT NULL,
  entity_id TEXT NOT NULL REFERENCES entity (id) DEFERRABLE INITIALLY DEFERRED,
  user_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- One token may open several entities.
  PRIMARY KEY (token_hash, entity_id),
  CONSTRAINT access_token_hash CHECK (length(token_hash) = 64 AND token_hash = lower(token_hash))
) STRICT;
