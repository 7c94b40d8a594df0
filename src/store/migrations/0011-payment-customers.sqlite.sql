-- Payments from before there was the column.
UPDATE payment SET customer_id = json_extract(data, '$.fields."customer.merchantCustomerId"')
WHERE instr(data, '"customer.merchantCustomerId":"') > 0;

UPDATE payment SET customer_id = (
  SELECT customer_id FROM registration
  WHERE registration.merchant_id = payment.merchant_id
    AND registration.id = substr(payment.data, instr(payment.data, '"registrationId":"') + 18, 32)
)
WHERE customer_id IS NULL AND state <> 'open' AND instr(data, '"registrationId":"') > 0;
