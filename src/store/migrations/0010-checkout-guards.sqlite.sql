-- What the database itself refuses, whoever asks. The same rules stand in 0010-checkout-guards.postgres.sql.

-- REPLACE would remove the payment that is there to make room for another one of its checkout.
CREATE TRIGGER payment_checkout_is_free BEFORE INSERT ON payment
WHEN NEW.checkout_id IS NOT NULL AND NEW.state <> 'declined' AND EXISTS (
  SELECT 1 FROM payment
  WHERE merchant_id = NEW.merchant_id AND checkout_id = NEW.checkout_id AND checkout_id IS NOT NULL AND state <> 'declined'
)
BEGIN
  SELECT RAISE(ABORT, 'payment_checkout: another payment of the checkout is open or has succeeded');
END;

CREATE TRIGGER payment_checkout_stays BEFORE UPDATE OF checkout_id ON payment
WHEN OLD.checkout_id IS DISTINCT FROM NEW.checkout_id
BEGIN
  SELECT RAISE(ABORT, 'payment_checkout_stays: the checkout of a payment is never updated');
END;

-- As for payments: REPLACE must not put another checkout in the place of one.
CREATE TRIGGER checkout_is_new BEFORE INSERT ON checkout
WHEN EXISTS (SELECT 1 FROM checkout WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM checkout WHERE rowid = NEW.rowid)
BEGIN
  SELECT RAISE(ABORT, 'checkout_is_new: this checkout is there already');
END;

CREATE TRIGGER checkout_origin_stays BEFORE UPDATE ON checkout
WHEN OLD.id <> NEW.id OR OLD.rowid <> NEW.rowid OR OLD.merchant_id <> NEW.merchant_id OR OLD.entity_id <> NEW.entity_id
  OR OLD.created_at <> NEW.created_at
BEGIN
  SELECT RAISE(ABORT, 'checkout_origin_stays: whose it is and where it came from is never updated');
END;

CREATE TRIGGER checkout_moves BEFORE UPDATE ON checkout
WHEN NEW.revision <> OLD.revision + 1
BEGIN
  SELECT RAISE(ABORT, 'checkout_moves: every change of a checkout is counted');
END;
