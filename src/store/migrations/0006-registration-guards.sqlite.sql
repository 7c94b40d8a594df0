-- What the database itself refuses, whoever asks. The same rules stand in 0006-registration-guards.postgres.sql.

-- A row may not come in the place of another: REPLACE would remove it without asking the guard against deletion.
CREATE TRIGGER registration_is_new BEFORE INSERT ON registration
WHEN EXISTS (SELECT 1 FROM registration WHERE merchant_id = NEW.merchant_id AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM registration WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'registration_is_new: this registration is there already');
END;

CREATE TRIGGER registration_stays BEFORE DELETE ON registration
BEGIN
  SELECT RAISE(ABORT, 'registration_stays: a registration keeps its row, also when its details are deleted');
END;

CREATE TRIGGER registration_origin_stays BEFORE UPDATE ON registration
WHEN OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.entity_id <> NEW.entity_id
  OR OLD.payment_id <> NEW.payment_id OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'registration_origin_stays: whose it is and where it came from is never updated');
END;

-- Not counted: a use (used_at, expires_at) and a text that is sealed anew.
CREATE TRIGGER registration_moves BEFORE UPDATE ON registration
WHEN (OLD.revision <> NEW.revision OR OLD.state <> NEW.state OR OLD.fingerprint IS DISTINCT FROM NEW.fingerprint
    OR OLD.token_due_at IS DISTINCT FROM NEW.token_due_at OR OLD.data <> NEW.data
    OR (OLD.sealed IS NULL) <> (NEW.sealed IS NULL))
  AND NOT (NEW.revision = OLD.revision + 1 AND (OLD.state = 'open'
    OR (OLD.state = 'active' AND NEW.state IN ('active', 'deleted')) OR (OLD.state = 'rejected' AND NEW.state = 'deleted')))
BEGIN
  SELECT RAISE(ABORT, 'registration_moves: a registration never moves back, and every move is counted');
END;

CREATE TRIGGER data_key_is_new BEFORE INSERT ON data_key
WHEN EXISTS (SELECT 1 FROM data_key WHERE owner = NEW.owner AND purpose = NEW.purpose AND version = NEW.version)
  OR EXISTS (SELECT 1 FROM data_key WHERE rowid = NEW.rowid)
  OR (NEW.state = 'current'
    AND EXISTS (SELECT 1 FROM data_key WHERE owner = NEW.owner AND purpose = NEW.purpose AND state = 'current'))
BEGIN
  SELECT RAISE(ABORT, 'data_key_is_new: this key is there already');
END;

CREATE TRIGGER data_key_stays BEFORE DELETE ON data_key
BEGIN
  SELECT RAISE(ABORT, 'data_key_stays: a key keeps its row, also when it is destroyed');
END;

CREATE TRIGGER data_key_moves BEFORE UPDATE ON data_key
WHEN OLD.owner <> NEW.owner OR OLD.purpose <> NEW.purpose OR OLD.version <> NEW.version OR OLD.rowid <> NEW.rowid
  OR OLD.created_at <> NEW.created_at OR NEW.reserved < OLD.reserved
  OR NOT (OLD.state = NEW.state OR (OLD.state = 'current' AND NEW.state = 'retiring')
    OR (OLD.state = 'retiring' AND NEW.state = 'retired'))
BEGIN
  SELECT RAISE(ABORT, 'data_key_moves: a key is current, then retiring, then retired, and never goes back');
END;

-- A message tells of a payment or of a registration, and the two may have one id: each counts its own revisions. SQLite cannot take a
-- constraint from a table, so the table is made anew.
CREATE TABLE outbox_anew (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  code TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'new',
  action TEXT,
  -- 1: payment_id and revision are those of a registration.
  of_registration INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, id),
  CONSTRAINT outbox_revision CHECK (revision >= 1),
  CONSTRAINT outbox_subject CHECK (of_registration IN (0, 1))
) STRICT;
INSERT INTO outbox_anew (merchant_id, id, entity_id, payment_id, revision, type, code, created_at, state)
SELECT merchant_id, id, entity_id, payment_id, revision, type, code, created_at, state FROM outbox ORDER BY rowid;
DROP TABLE outbox;
ALTER TABLE outbox_anew RENAME TO outbox;
CREATE INDEX outbox_new ON outbox (created_at) WHERE state = 'new';
CREATE UNIQUE INDEX outbox_change ON outbox (merchant_id, payment_id, revision) WHERE of_registration = 0;
CREATE UNIQUE INDEX outbox_registration_change ON outbox (merchant_id, payment_id, revision) WHERE of_registration = 1;
