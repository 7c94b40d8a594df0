-- Events of a registration or schedule have it as their subject, so that they are delivered in the order of its revisions.

-- The transaction that an event reports; null: the subject itself.
ALTER TABLE outbox ADD COLUMN transaction_id TEXT;
-- What an event of a schedule tells beside its transaction, as JSON; null: nothing.
ALTER TABLE outbox ADD COLUMN detail TEXT;
ALTER TABLE delivery ADD COLUMN transaction_id TEXT;
ALTER TABLE delivery ADD COLUMN detail TEXT;
-- The number of attempts before a user sent the delivery again.
ALTER TABLE delivery ADD COLUMN earlier_tries INTEGER NOT NULL DEFAULT 0;

-- The events that waited for their fan-out when a webhook was added. They happened before it, and are not delivered to it.
CREATE TABLE earlier_event (
  webhook_id TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  PRIMARY KEY (webhook_id, merchant_id, event_id)
) STRICT, WITHOUT ROWID;
