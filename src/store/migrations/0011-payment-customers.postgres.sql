-- Payments from before there was the column. PostgreSQL reads no JSON text that holds a NUL.
UPDATE payment SET customer_id = data::json -> 'fields' ->> 'customer.merchantCustomerId'
WHERE strpos(data, '"customer.merchantCustomerId":"') > 0 AND strpos(data, '\u0000') = 0;

UPDATE payment SET customer_id = registration.customer_id
FROM registration
WHERE payment.customer_id IS NULL AND payment.state <> 'open' AND strpos(payment.data, '"registrationId":"') > 0
  AND registration.merchant_id = payment.merchant_id AND registration.customer_id IS NOT NULL
  AND registration.id = substr(payment.data, strpos(payment.data, '"registrationId":"') + 18, 32);
