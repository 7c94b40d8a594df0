-- What the database itself refuses, whoever asks. The same rules stand in 0013-plan-webhook-guards.sqlite.sql; that a row does not come
-- in the place of another is said by the keys.

CREATE TRIGGER plan_stays BEFORE DELETE ON plan
FOR EACH ROW EXECUTE FUNCTION refuse('a plan keeps its row, also when it is over');

CREATE TRIGGER plan_all_stay BEFORE TRUNCATE ON plan
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a plan keeps its row, also when it is over');

CREATE TRIGGER plan_origin_stays BEFORE UPDATE ON plan
FOR EACH ROW
WHEN (OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.entity_id <> NEW.entity_id
  OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('whose it is and where it came from is never updated');

-- Not counted: a claim.
CREATE TRIGGER plan_moves BEFORE UPDATE ON plan
FOR EACH ROW
WHEN ((OLD.revision <> NEW.revision OR OLD.registration_id <> NEW.registration_id OR OLD.state <> NEW.state
    OR OLD.next_at IS DISTINCT FROM NEW.next_at OR OLD.data <> NEW.data)
  AND NOT (NEW.revision = OLD.revision + 1 AND OLD.state <> 'over'))
EXECUTE FUNCTION refuse('every change of a plan is counted, and what is over stays over');

CREATE TRIGGER plan_run_stays BEFORE DELETE ON plan_run
FOR EACH ROW EXECUTE FUNCTION refuse('what became of a run is never undone');

CREATE TRIGGER plan_run_all_stay BEFORE TRUNCATE ON plan_run
FOR EACH STATEMENT EXECUTE FUNCTION refuse('what became of a run is never undone');

CREATE TRIGGER plan_run_holds BEFORE UPDATE ON plan_run
FOR EACH ROW EXECUTE FUNCTION refuse('what became of a run is never undone');

CREATE TRIGGER webhook_origin_stays BEFORE UPDATE ON webhook
FOR EACH ROW
WHEN (OLD.id <> NEW.id OR OLD.entity_id <> NEW.entity_id OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('whose it is and where it came from is never updated');

CREATE TRIGGER webhook_moves BEFORE UPDATE ON webhook
FOR EACH ROW
WHEN (NEW.revision <> OLD.revision + 1)
EXECUTE FUNCTION refuse('every change of a webhook is counted');

CREATE TRIGGER delivery_news_stay BEFORE UPDATE ON delivery
FOR EACH ROW
WHEN (OLD.webhook_id <> NEW.webhook_id OR OLD.id <> NEW.id OR OLD.merchant_id <> NEW.merchant_id OR OLD.news_id <> NEW.news_id
  OR OLD.entity_id <> NEW.entity_id OR OLD.subject_id <> NEW.subject_id OR OLD.revision <> NEW.revision OR OLD.type <> NEW.type
  OR OLD.action IS DISTINCT FROM NEW.action OR OLD.code <> NEW.code OR OLD.happened_at <> NEW.happened_at
  OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('what is told, and to whom, is never updated');

CREATE TRIGGER outbox_news_stay BEFORE UPDATE ON outbox
FOR EACH ROW
WHEN (OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.entity_id <> NEW.entity_id
  OR OLD.payment_id <> NEW.payment_id OR OLD.revision <> NEW.revision OR OLD.type <> NEW.type OR OLD.code <> NEW.code
  OR OLD.created_at <> NEW.created_at OR OLD.action IS DISTINCT FROM NEW.action OR OLD.of_registration <> NEW.of_registration
  OR NOT (OLD.state = NEW.state OR (OLD.state = 'new' AND NEW.state = 'spread')))
EXECUTE FUNCTION refuse('news are spread once, and never updated');

CREATE TRIGGER outbox_new_stay BEFORE DELETE ON outbox
FOR EACH ROW
WHEN (OLD.state = 'new')
EXECUTE FUNCTION refuse('news are not forgotten before they are spread');

CREATE TRIGGER outbox_all_stay BEFORE TRUNCATE ON outbox
FOR EACH STATEMENT EXECUTE FUNCTION refuse('news are not forgotten before they are spread');

-- How the statement that writes a batch of commits says that somebody was quicker with a plan.
CREATE FUNCTION plan_moved(plan_id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the plan % is not at the revision before', plan_id
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'plan_moved';
END $$;

-- Room on the page for a claim, which then touches no index.
ALTER TABLE plan SET (fillfactor = 80);
ALTER TABLE delivery SET (fillfactor = 80);
