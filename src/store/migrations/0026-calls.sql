-- Requests to the API with their answers, masked, for whoever looks for a cause. Ids are in the order of time.

CREATE TABLE api_call (
  id TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT NOT NULL,
  words TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (id)
) STRICT;

CREATE INDEX api_call_of_merchant ON api_call (merchant_id, id);
CREATE INDEX api_call_of_entity ON api_call (entity_id, id);
