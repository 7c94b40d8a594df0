-- Merchants of the test environment whose time is not the real one, and the ways to what is due of one merchant alone.

CREATE TABLE merchant_clock (
  merchant_id TEXT NOT NULL,
  offset_ms INTEGER NOT NULL,
  frozen_at INTEGER,
  target INTEGER,
  stepped_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  PRIMARY KEY (merchant_id),
  CONSTRAINT merchant_clock_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX registration_outlived_of_merchant ON registration (merchant_id, expires_at, id) WHERE state = 'active';
CREATE INDEX registration_awaiting_of_merchant ON registration (merchant_id, token_due_at, id)
  WHERE state = 'active' AND token_due_at IS NOT NULL;
CREATE INDEX checkout_call_of_merchant ON checkout (merchant_id, call_at, id) WHERE call_at IS NOT NULL;
