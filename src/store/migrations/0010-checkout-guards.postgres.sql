-- What the database itself refuses, whoever asks. The same rules stand in 0010-checkout-guards.sqlite.sql; of two payments that come
-- at once the index payment_checkout lets one wait for the other.

CREATE TRIGGER payment_checkout_stays BEFORE UPDATE OF checkout_id ON payment
FOR EACH ROW
WHEN (OLD.checkout_id IS DISTINCT FROM NEW.checkout_id)
EXECUTE FUNCTION refuse('the checkout of a payment is never updated');

CREATE TRIGGER checkout_origin_stays BEFORE UPDATE ON checkout
FOR EACH ROW
WHEN (OLD.id <> NEW.id OR OLD.merchant_id <> NEW.merchant_id OR OLD.entity_id <> NEW.entity_id
  OR OLD.created_at <> NEW.created_at)
EXECUTE FUNCTION refuse('whose it is and where it came from is never updated');

CREATE TRIGGER checkout_moves BEFORE UPDATE ON checkout
FOR EACH ROW
WHEN (NEW.revision <> OLD.revision + 1)
EXECUTE FUNCTION refuse('every change of a checkout is counted');
