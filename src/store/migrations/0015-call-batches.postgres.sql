-- A call from before is a batch of its own, as plain text.
INSERT INTO call_batch (id, first_id, merchant_id, entity_id, calls, data)
SELECT id, id, merchant_id, entity_id, 1, convert_to(replace(words, chr(10), ' ') || chr(10) || data || chr(10) || chr(10), 'UTF8') FROM api_call;

DROP TABLE api_call;
