-- Search: what people know of a payment stands in columns of its own. The address of whoever pays is kept as a keyed hash; payments
-- that were made before have none. Almost the same stands in 0024-search.postgres.sql.

ALTER TABLE payment ADD COLUMN last4 TEXT;
ALTER TABLE payment ADD COLUMN brand TEXT;
ALTER TABLE payment ADD COLUMN code TEXT;
ALTER TABLE payment ADD COLUMN email_hash TEXT;
UPDATE payment SET
  last4 = json_extract(data, '$.instrument.last4Digits'),
  brand = json_extract(data, '$.paymentBrand'),
  code = CASE WHEN json_extract(data, '$.phase.at') = 'final' THEN json_extract(data, '$.phase.code') ELSE '000.200.000' END;

-- Each in the order in which payments are told, so that the newest of millions are found at once.
CREATE INDEX payment_last4 ON payment (merchant_id, last4, created_at, id) WHERE last4 IS NOT NULL;
CREATE INDEX payment_email ON payment (merchant_id, email_hash, created_at, id) WHERE email_hash IS NOT NULL;
CREATE INDEX payment_amount ON payment (merchant_id, amount, created_at, id);
CREATE INDEX payment_declined ON payment (merchant_id, code, created_at, id) WHERE state = 'declined';
CREATE INDEX payment_short ON payment (merchant_id, short_id);

-- What became of one payment: its entries in the books, and who was told of it.
CREATE INDEX posting_subject ON posting (merchant_id, subject_id, revision);
CREATE INDEX delivery_about ON delivery (subject_id, merchant_id);
