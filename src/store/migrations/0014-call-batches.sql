-- Requests to the API with their replies, masked: some calls of one entity in a row, compressed. Ids are in the order of time: `id` is that
-- of the newest call, and at most an hour lies between it and `first_id`.
CREATE TABLE call_batch (
  id TEXT NOT NULL,
  first_id TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls > 0),
  data BLOB NOT NULL,
  PRIMARY KEY (id)
) STRICT;

CREATE INDEX call_batch_of_merchant ON call_batch (merchant_id, id);
CREATE INDEX call_batch_of_entity ON call_batch (entity_id, id);
