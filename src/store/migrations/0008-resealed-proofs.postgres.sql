-- The proof of an authentication is sealed inside the data of its payment. A rotation of keys reseals it, also in a final payment.

DROP TRIGGER payment_transition ON payment;
CREATE TRIGGER payment_transition BEFORE UPDATE ON payment
FOR EACH ROW
WHEN (NEW.version NOT IN (OLD.version, OLD.version + 1)
  OR (
    (OLD.revision <> NEW.revision OR OLD.state <> NEW.state OR OLD.due_at IS DISTINCT FROM NEW.due_at OR OLD.data <> NEW.data)
    AND NOT (OLD.state = 'open' AND NEW.revision = OLD.revision + 1)
    AND NOT (
      OLD.revision = NEW.revision AND OLD.state = NEW.state AND OLD.due_at IS NOT DISTINCT FROM NEW.due_at
      AND regexp_replace(OLD.data, '"sealedProof":"[^"]*"', '"sealedProof":""')
        = regexp_replace(NEW.data, '"sealedProof":"[^"]*"', '"sealedProof":""')
    )
  ))
EXECUTE FUNCTION refuse('only an open payment moves, and every move raises the revision by one');
