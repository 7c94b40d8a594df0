-- A call from before is a batch of its own, as plain text.
INSERT INTO call_batch (id, first_id, merchant_id, entity_id, calls, data)
SELECT id, id, merchant_id, entity_id, 1, CAST(replace(words, char(10), ' ') || char(10) || data || char(10) || char(10) AS BLOB) FROM api_call;

DROP TABLE api_call;
