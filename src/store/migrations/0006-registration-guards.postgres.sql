-- What the database itself refuses, whoever asks. The same rules stand in 0006-registration-guards.sqlite.sql.

CREATE TRIGGER registration_stays BEFORE DELETE ON registration
FOR EACH ROW EXECUTE FUNCTION refuse('a registration keeps its row, also when its details are deleted');

CREATE TRIGGER registration_all_stay BEFORE TRUNCATE ON registration
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a registration keeps its row, also when its details are deleted');

CREATE TRIGGER registration_origin_stays BEFORE UPDATE ON registration
FOR EACH ROW
WHEN (OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.entity_id <> NEW.entity_id
  OR OLD.payment_id <> NEW.payment_id OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('whose it is and where it came from is never updated');

-- Not counted: a use (used_at, expires_at) and a text that is sealed anew.
CREATE TRIGGER registration_moves BEFORE UPDATE ON registration
FOR EACH ROW
WHEN ((OLD.revision <> NEW.revision OR OLD.state <> NEW.state OR OLD.fingerprint IS DISTINCT FROM NEW.fingerprint
    OR OLD.token_due_at IS DISTINCT FROM NEW.token_due_at OR OLD.data <> NEW.data
    OR (OLD.sealed IS NULL) <> (NEW.sealed IS NULL))
  AND NOT (NEW.revision = OLD.revision + 1 AND (OLD.state = 'open'
    OR (OLD.state = 'active' AND NEW.state IN ('active', 'deleted')) OR (OLD.state = 'rejected' AND NEW.state = 'deleted'))))
EXECUTE FUNCTION refuse('a registration never moves back, and every move is counted');

CREATE TRIGGER data_key_stays BEFORE DELETE ON data_key
FOR EACH ROW EXECUTE FUNCTION refuse('a key keeps its row, also when it is destroyed');

CREATE TRIGGER data_key_all_stay BEFORE TRUNCATE ON data_key
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a key keeps its row, also when it is destroyed');

CREATE TRIGGER data_key_moves BEFORE UPDATE ON data_key
FOR EACH ROW
WHEN (OLD.owner <> NEW.owner OR OLD.purpose <> NEW.purpose OR OLD.version <> NEW.version OR OLD.created_at <> NEW.created_at
  OR NEW.reserved < OLD.reserved
  OR NOT (OLD.state = NEW.state OR (OLD.state = 'current' AND NEW.state = 'retiring')
    OR (OLD.state = 'retiring' AND NEW.state = 'retired')))
EXECUTE FUNCTION refuse('a key is current, then retiring, then retired, and never goes back');

-- A message tells of a payment or of a registration, and the two may have one id: each counts its own revisions.
ALTER TABLE outbox
  DROP CONSTRAINT outbox_change,
  ADD COLUMN action text COLLATE "C",
  -- 1: payment_id and revision are those of a registration.
  ADD COLUMN of_registration bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT outbox_subject CHECK (of_registration IN (0, 1));
CREATE UNIQUE INDEX outbox_change ON outbox (merchant_id, payment_id, revision) WHERE of_registration = 0;
CREATE UNIQUE INDEX outbox_registration_change ON outbox (merchant_id, payment_id, revision) WHERE of_registration = 1;

-- How the statement that writes a batch of commits says that somebody was quicker with a registration.
CREATE FUNCTION registration_moved(registration_id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the registration % is not at the revision before', registration_id
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'registration_moved';
END $$;
