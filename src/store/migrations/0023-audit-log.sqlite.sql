-- The audit log: who did what, when, from where, to what, and what came of it. Each entry carries the hash of the one before. Almost the
-- same stands in 0023-audit-log.postgres.sql.

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

-- Where the chain ends, apart from it: who cuts off its end has not cut this. The seal needs a key that is not in the database.
CREATE TABLE audit_head (
  id INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  seal TEXT NOT NULL,
  CONSTRAINT audit_head_is_one CHECK (id = 1)
) STRICT;

INSERT INTO audit_head (id, number, hash, seal) VALUES (1, 0, '', '');

CREATE TRIGGER audit_entry_stays BEFORE DELETE ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'audit_entry_stays: an entry is never deleted');
END;

CREATE TRIGGER audit_entry_is_final BEFORE UPDATE ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'audit_entry_is_final: an entry is never changed');
END;

-- REPLACE would delete without asking the trigger above.
CREATE TRIGGER audit_entry_follows BEFORE INSERT ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'audit_entry_follows: this entry is there already')
  WHERE EXISTS (SELECT 1 FROM audit_entry WHERE number = NEW.number);
  SELECT RAISE(ABORT, 'audit_entry_follows: it does not follow the entry before it')
  WHERE NEW.number > 1 AND NOT EXISTS (SELECT 1 FROM audit_entry WHERE number = NEW.number - 1 AND hash = NEW.previous);
END;

CREATE TRIGGER audit_head_stays BEFORE DELETE ON audit_head
BEGIN
  SELECT RAISE(ABORT, 'audit_head_stays: the head is never deleted');
END;

CREATE TRIGGER audit_head_goes_on BEFORE UPDATE ON audit_head
WHEN NEW.id <> OLD.id OR NEW.number <= OLD.number
BEGIN
  SELECT RAISE(ABORT, 'audit_head_goes_on: the head only goes on');
END;
