-- What the database itself refuses, whoever asks. The same rules stand in 0013-plan-webhook-guards.postgres.sql.

-- As for payments: REPLACE must not put another row in the place of one.
CREATE TRIGGER plan_is_new BEFORE INSERT ON plan
WHEN EXISTS (SELECT 1 FROM plan WHERE merchant_id = NEW.merchant_id AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM plan WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'plan_is_new: this plan is there already');
END;

CREATE TRIGGER plan_stays BEFORE DELETE ON plan
BEGIN
  SELECT RAISE(ABORT, 'plan_stays: a plan keeps its row, also when it is over');
END;

CREATE TRIGGER plan_origin_stays BEFORE UPDATE ON plan
WHEN OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.entity_id <> NEW.entity_id
  OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'plan_origin_stays: whose it is and where it came from is never updated');
END;

-- Not counted: a claim.
CREATE TRIGGER plan_moves BEFORE UPDATE ON plan
WHEN (OLD.revision <> NEW.revision OR OLD.registration_id <> NEW.registration_id OR OLD.state <> NEW.state
    OR OLD.next_at IS DISTINCT FROM NEW.next_at OR OLD.data <> NEW.data)
  AND NOT (NEW.revision = OLD.revision + 1 AND OLD.state <> 'over')
BEGIN
  SELECT RAISE(ABORT, 'plan_moves: every change of a plan is counted, and what is over stays over');
END;

CREATE TRIGGER plan_run_is_new BEFORE INSERT ON plan_run
WHEN EXISTS (SELECT 1 FROM plan_run WHERE merchant_id = NEW.merchant_id AND plan_id = NEW.plan_id AND due_at = NEW.due_at)
  OR EXISTS (SELECT 1 FROM plan_run WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'plan_run_is_new: this instant was taken already');
END;

CREATE TRIGGER plan_run_stays BEFORE DELETE ON plan_run
BEGIN
  SELECT RAISE(ABORT, 'plan_run_stays: what became of a run is never undone');
END;

CREATE TRIGGER plan_run_holds BEFORE UPDATE ON plan_run
BEGIN
  SELECT RAISE(ABORT, 'plan_run_holds: what became of a run is never undone');
END;

CREATE TRIGGER webhook_is_new BEFORE INSERT ON webhook
WHEN EXISTS (SELECT 1 FROM webhook WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM webhook WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'webhook_is_new: this webhook is there already');
END;

CREATE TRIGGER webhook_origin_stays BEFORE UPDATE ON webhook
WHEN OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.entity_id <> NEW.entity_id OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'webhook_origin_stays: whose it is and where it came from is never updated');
END;

CREATE TRIGGER webhook_moves BEFORE UPDATE ON webhook
WHEN NEW.revision <> OLD.revision + 1
BEGIN
  SELECT RAISE(ABORT, 'webhook_moves: every change of a webhook is counted');
END;

CREATE TRIGGER delivery_news_stay BEFORE UPDATE ON delivery
WHEN OLD.webhook_id <> NEW.webhook_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.merchant_id <> NEW.merchant_id
  OR OLD.news_id <> NEW.news_id OR OLD.entity_id <> NEW.entity_id OR OLD.subject_id <> NEW.subject_id
  OR OLD.revision <> NEW.revision OR OLD.type <> NEW.type OR OLD.action IS DISTINCT FROM NEW.action OR OLD.code <> NEW.code
  OR OLD.happened_at <> NEW.happened_at OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'delivery_news_stay: what is told, and to whom, is never updated');
END;

CREATE TRIGGER outbox_news_stay BEFORE UPDATE ON outbox
WHEN OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.entity_id <> NEW.entity_id
  OR OLD.payment_id <> NEW.payment_id OR OLD.revision <> NEW.revision OR OLD.type <> NEW.type OR OLD.code <> NEW.code
  OR OLD.created_at <> NEW.created_at OR OLD.action IS DISTINCT FROM NEW.action OR OLD.of_registration <> NEW.of_registration
  OR NOT (OLD.state = NEW.state OR (OLD.state = 'new' AND NEW.state = 'spread'))
BEGIN
  SELECT RAISE(ABORT, 'outbox_news_stay: news are spread once, and never updated');
END;

CREATE TRIGGER outbox_new_stay BEFORE DELETE ON outbox
WHEN OLD.state = 'new'
BEGIN
  SELECT RAISE(ABORT, 'outbox_new_stay: news are not forgotten before they are spread');
END;
