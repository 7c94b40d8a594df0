-- Registrations from before there was the column. PostgreSQL reads no JSON text that holds a NUL.
UPDATE registration SET customer_id = data::json -> 'fields' ->> 'customer.merchantCustomerId'
WHERE strpos(data, '"customer.merchantCustomerId":"') > 0 AND strpos(data, '\u0000') = 0;
