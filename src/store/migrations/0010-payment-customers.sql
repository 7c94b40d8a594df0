-- The merchant's own id of the customer: of the request, or of the stored details that are charged; null: there is none, and then the index
-- has no entry.
ALTER TABLE payment ADD COLUMN customer_id TEXT;

CREATE INDEX payment_customer ON payment (merchant_id, customer_id, created_at, id) WHERE customer_id IS NOT NULL;
