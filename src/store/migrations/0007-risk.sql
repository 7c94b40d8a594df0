-- The past in the order in which payments were begun, and the block and allow lists of the risk checks.

CREATE INDEX payment_history ON payment (created_at, merchant_id, id);

CREATE TABLE risk_list_entry (
  merchant_id TEXT NOT NULL,
  list TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  -- Null: for ever.
  expires_at INTEGER,
  PRIMARY KEY (merchant_id, list, kind, value),
  CONSTRAINT risk_list_entry_list CHECK (list IN ('block', 'allow')),
  CONSTRAINT risk_list_entry_kind CHECK (kind IN ('card', 'bin', 'email', 'emailDomain', 'ip', 'country', 'customer')),
  CONSTRAINT risk_list_entry_value CHECK (length(value) BETWEEN 1 AND 255)
) STRICT;

CREATE INDEX risk_list_entry_age ON risk_list_entry (expires_at) WHERE expires_at IS NOT NULL;

-- One row: how often the lists were changed. Triggers keep it, so that a change by hand is counted too.
CREATE TABLE risk_list_change (
  one INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  CONSTRAINT risk_list_change_one CHECK (one = 1)
) STRICT;

INSERT INTO risk_list_change (one, count) VALUES (1, 0);

-- A sandbox that was made before there were risk checks: they only tell there what they find.
UPDATE entity
SET settings = CASE
  WHEN trim(substr(settings, 2)) = '}' THEN '{"risk":{"mode":"report"}}'
  ELSE '{"risk":{"mode":"report"},' || substr(settings, 2)
END
WHERE id = '5eed00000000000000000000000000d0' AND substr(settings, 1, 1) = '{' AND settings NOT LIKE '%"risk"%';
