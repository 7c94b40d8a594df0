-- Stored payment details, the wallet tokens that have paid, and the keys and secrets of their owners.

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

CREATE INDEX registration_outlived ON registration (expires_at, id) WHERE state = 'active';
CREATE INDEX registration_awaiting ON registration (token_due_at, id) WHERE state = 'active' AND token_due_at IS NOT NULL;

CREATE TABLE spent_token (
  merchant_id TEXT NOT NULL,
  wallet TEXT NOT NULL,
  token_id TEXT NOT NULL,
  until INTEGER NOT NULL,
  payment_id TEXT NOT NULL,
  PRIMARY KEY (merchant_id, wallet, token_id)
) STRICT;

CREATE INDEX spent_token_age ON spent_token (until);

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

CREATE TABLE secret (
  entity_id TEXT NOT NULL,
  name TEXT NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (entity_id, name)
) STRICT;
