-- Lists of the back office. All that a list is filtered by is in its index. The same stands in 0027-stored-lists.sqlite.sql.

CREATE INDEX registration_listed ON registration (merchant_id, created_at, id, entity_id, state);
CREATE INDEX registration_last4 ON registration
  (merchant_id, substr(data, strpos(data, '"last4Digits":"') + 15, 4), created_at, id)
  WHERE strpos(data, '"last4Digits":"') > 0;
CREATE INDEX checkout_listed ON checkout (merchant_id, created_at, id, entity_id, expires_at);
CREATE INDEX plan_listed ON plan (merchant_id, created_at, id, entity_id, state);

-- Few payments are by stored details, and fewer are to be looked at by a person.
CREATE INDEX payment_stored ON payment
  (merchant_id, substr(data, strpos(data, '"registrationId":"') + 18, 32), created_at, id)
  WHERE strpos(data, '"registrationId":"') > 0;
CREATE INDEX payment_review ON payment (merchant_id, created_at, id) WHERE code = '000.400.000';
