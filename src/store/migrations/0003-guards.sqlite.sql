-- A row may not come in the place of another: REPLACE would remove it without asking the guard against deletion.
CREATE TRIGGER payment_is_new BEFORE INSERT ON payment
WHEN EXISTS (SELECT 1 FROM payment WHERE merchant_id = NEW.merchant_id AND id = NEW.id)
  OR EXISTS (SELECT 1 FROM payment WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'payment_is_new: this payment is there already');
END;

CREATE TRIGGER payment_stays BEFORE DELETE ON payment
BEGIN
  SELECT RAISE(ABORT, 'payment_stays: a payment is never deleted');
END;

CREATE TRIGGER payment_money_stays BEFORE UPDATE ON payment
WHEN OLD.merchant_id <> NEW.merchant_id OR OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.family_id <> NEW.family_id
  OR OLD.entity_id <> NEW.entity_id OR OLD.referenced_id IS NOT NEW.referenced_id OR OLD.payment_type <> NEW.payment_type
  OR OLD.industry_practice IS NOT NEW.industry_practice OR OLD.amount <> NEW.amount OR OLD.currency <> NEW.currency
  OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'payment_money_stays: what records money is never updated');
END;

CREATE TRIGGER payment_moves BEFORE UPDATE ON payment
WHEN NEW.version NOT IN (OLD.version, OLD.version + 1)
  OR CASE
    WHEN OLD.state = NEW.state AND OLD.data = NEW.data AND OLD.due_at IS NEW.due_at THEN NEW.revision <> OLD.revision AND OLD.state <> 'open'
    ELSE OLD.state <> 'open'
  END
  OR NEW.revision NOT IN (OLD.revision, OLD.revision + 1)
  OR (NEW.revision = OLD.revision AND NOT (OLD.state = NEW.state AND OLD.data = NEW.data AND OLD.due_at IS NEW.due_at))
BEGIN
  SELECT RAISE(ABORT, 'payment_moves: a final payment never changes, and every change of an open one is counted');
END;
