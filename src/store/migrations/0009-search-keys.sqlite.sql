-- The keys that only searches need. The writer adds them in batches behind the payments, in the order of the payments' row numbers: in the
-- payment's own transaction four more indexes would cost half of what the payment costs. A search also reads the payments behind the
-- cursor, so that it misses none.
CREATE TABLE search_key (
  merchant_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- The amount is a number, every other value a text.
  value ANY NOT NULL,
  created_at INTEGER NOT NULL,
  -- Of the payment.
  id TEXT NOT NULL,
  PRIMARY KEY (merchant_id, kind, value, created_at, id),
  CONSTRAINT search_key_kind CHECK (kind IN ('amount', 'email', 'last4', 'shortId'))
) STRICT, WITHOUT ROWID;

-- The row number of the last payment whose keys are written.
CREATE TABLE search_cursor (
  id INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  CONSTRAINT search_cursor_one CHECK (id = 1)
) STRICT;

INSERT INTO search_key (merchant_id, kind, value, created_at, id)
SELECT merchant_id, 'amount', amount, created_at, id FROM payment ORDER BY merchant_id, amount, created_at, id;
INSERT INTO search_key (merchant_id, kind, value, created_at, id)
SELECT merchant_id, 'email', email_hash, created_at, id FROM payment WHERE email_hash IS NOT NULL
ORDER BY merchant_id, email_hash, created_at, id;
INSERT INTO search_key (merchant_id, kind, value, created_at, id)
SELECT merchant_id, 'last4', last4, created_at, id FROM payment WHERE last4 IS NOT NULL
ORDER BY merchant_id, last4, created_at, id;
INSERT INTO search_key (merchant_id, kind, value, created_at, id)
SELECT merchant_id, 'shortId', short_id, created_at, id FROM payment ORDER BY merchant_id, short_id, created_at, id;

INSERT INTO search_cursor (id, last) SELECT 1, COALESCE(MAX(rowid), 0) FROM payment;

DROP INDEX payment_amount;
DROP INDEX payment_email;
DROP INDEX payment_last4;
DROP INDEX payment_short;

CREATE TRIGGER search_cursor_no_delete BEFORE DELETE ON search_cursor
BEGIN
  SELECT RAISE(ABORT, 'search_cursor_no_delete: the cursor is never deleted');
END;

CREATE TRIGGER search_cursor_advances BEFORE UPDATE ON search_cursor
WHEN NEW.id <> OLD.id OR NEW.last <= OLD.last
BEGIN
  SELECT RAISE(ABORT, 'search_cursor_advances: the cursor only advances');
END;
