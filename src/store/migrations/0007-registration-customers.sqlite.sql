-- Registrations from before there was the column.
UPDATE registration SET customer_id = json_extract(data, '$.fields."customer.merchantCustomerId"')
WHERE instr(data, '"customer.merchantCustomerId":"') > 0;
