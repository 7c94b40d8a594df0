-- What an event reports is never updated, in the outbox and on its way.

CREATE TRIGGER outbox_report_fixed BEFORE UPDATE ON outbox
WHEN OLD.transaction_id IS DISTINCT FROM NEW.transaction_id OR OLD.detail IS DISTINCT FROM NEW.detail
BEGIN
  SELECT RAISE(ABORT, 'outbox_report_fixed: what an event reports is never updated');
END;

CREATE TRIGGER delivery_report_fixed BEFORE UPDATE ON delivery
WHEN OLD.transaction_id IS DISTINCT FROM NEW.transaction_id OR OLD.detail IS DISTINCT FROM NEW.detail
BEGIN
  SELECT RAISE(ABORT, 'delivery_report_fixed: what an event reports is never updated');
END;
