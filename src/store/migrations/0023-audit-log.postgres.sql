-- The audit log: who did what, when, from where, to what, and what came of it. Each entry carries the hash of the one before. Almost the
-- same stands in 0023-audit-log.sqlite.sql. Who appends moves the head first, and so waits for whoever does the same: one chain.

CREATE TABLE audit_entry (
  number bigint PRIMARY KEY,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  who text COLLATE "C" NOT NULL,
  who_name text COLLATE "C" NOT NULL,
  what text COLLATE "C" NOT NULL,
  entity_id text COLLATE "C",
  object_id text COLLATE "C",
  origin text COLLATE "C" NOT NULL,
  result text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  note text COLLATE "C",
  previous text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  CONSTRAINT audit_entry_begins CHECK (number >= 1 AND (number = 1) = (previous = ''))
);

CREATE INDEX audit_entry_by_age ON audit_entry (at, number);

-- Where the chain ends, apart from it: who cuts off its end has not cut this. The seal needs a key that is not in the database.
CREATE TABLE audit_head (
  id bigint PRIMARY KEY,
  number bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  seal text COLLATE "C" NOT NULL,
  CONSTRAINT audit_head_is_one CHECK (id = 1)
);

INSERT INTO audit_head (id, number, hash, seal) VALUES (1, 0, '', '');

CREATE TRIGGER audit_entry_stays BEFORE DELETE ON audit_entry
FOR EACH ROW EXECUTE FUNCTION refuse('an entry is never deleted');

CREATE TRIGGER audit_entry_all_stay BEFORE TRUNCATE ON audit_entry
FOR EACH STATEMENT EXECUTE FUNCTION refuse('an entry is never deleted');

CREATE TRIGGER audit_entry_is_final BEFORE UPDATE ON audit_entry
FOR EACH ROW EXECUTE FUNCTION refuse('an entry is never changed');

CREATE TRIGGER audit_head_stays BEFORE DELETE ON audit_head
FOR EACH ROW EXECUTE FUNCTION refuse('the head is never deleted');

CREATE TRIGGER audit_head_all_stay BEFORE TRUNCATE ON audit_head
FOR EACH STATEMENT EXECUTE FUNCTION refuse('the head is never deleted');

CREATE TRIGGER audit_head_goes_on BEFORE UPDATE ON audit_head
FOR EACH ROW WHEN (NEW.id <> OLD.id OR NEW.number <= OLD.number)
EXECUTE FUNCTION refuse('the head only goes on');

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
