-- Search: what people know of a payment stands in columns of its own. The address of whoever pays is kept as a keyed hash; payments
-- that were made before have none. Almost the same stands in 0024-search.sqlite.sql; here entries of the books are found by their
-- blocks.

ALTER TABLE payment ADD COLUMN last4 text COLLATE "C";
ALTER TABLE payment ADD COLUMN brand text COLLATE "C";
ALTER TABLE payment ADD COLUMN code text COLLATE "C";
ALTER TABLE payment ADD COLUMN email_hash text COLLATE "C";
UPDATE payment SET
  last4 = data::jsonb #>> '{instrument,last4Digits}',
  brand = data::jsonb ->> 'paymentBrand',
  code = CASE WHEN data::jsonb #>> '{phase,at}' = 'final' THEN data::jsonb #>> '{phase,code}' ELSE '000.200.000' END;

-- Each in the order in which payments are told, so that the newest of millions are found at once.
CREATE INDEX payment_last4 ON payment (merchant_id, last4, created_at, id) WHERE last4 IS NOT NULL;
CREATE INDEX payment_email ON payment (merchant_id, email_hash, created_at, id) WHERE email_hash IS NOT NULL;
CREATE INDEX payment_amount ON payment (merchant_id, amount, created_at, id);
CREATE INDEX payment_declined ON payment (merchant_id, code, created_at, id) WHERE state = 'declined';
-- The other way round the planner would take it for an order by id.
CREATE INDEX payment_short ON payment (short_id, merchant_id);

-- Who was told of a payment.
CREATE INDEX delivery_about ON delivery (subject_id, merchant_id);
