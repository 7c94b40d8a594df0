-- What an event reports is never updated, in the outbox and on its way.

CREATE TRIGGER outbox_report_fixed BEFORE UPDATE ON outbox
FOR EACH ROW
WHEN (OLD.transaction_id IS DISTINCT FROM NEW.transaction_id OR OLD.detail IS DISTINCT FROM NEW.detail)
EXECUTE FUNCTION refuse('what an event reports is never updated');

CREATE TRIGGER delivery_report_fixed BEFORE UPDATE ON delivery
FOR EACH ROW
WHEN (OLD.transaction_id IS DISTINCT FROM NEW.transaction_id OR OLD.detail IS DISTINCT FROM NEW.detail)
EXECUTE FUNCTION refuse('what an event reports is never updated');
