-- The merchant's own id of the customer whose details are stored; null: none was sent.
ALTER TABLE registration ADD COLUMN customer_id TEXT;

CREATE INDEX registration_customer ON registration (merchant_id, customer_id, created_at, id) WHERE customer_id IS NOT NULL;
