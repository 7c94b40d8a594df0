-- Sessions of the payment widget, the payments that were tried in them, and the files of the widget.

ALTER TABLE payment ADD COLUMN checkout_id TEXT;

-- At most one payment of a checkout is open or has succeeded. A payment without a checkout is in neither index and pays for none.
CREATE UNIQUE INDEX payment_checkout ON payment (merchant_id, checkout_id) WHERE checkout_id IS NOT NULL AND state <> 'declined';
CREATE INDEX payment_attempts ON payment (merchant_id, checkout_id, created_at, id) WHERE checkout_id IS NOT NULL;

CREATE TABLE checkout (
  -- All that a browser has; it alone is the key.
  id TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  call_at INTEGER,
  revision INTEGER NOT NULL,
  -- The rest of the checkout as JSON.
  data TEXT NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT checkout_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX checkout_call ON checkout (call_at, id) WHERE call_at IS NOT NULL;
CREATE INDEX checkout_age ON checkout (expires_at, id);

CREATE TABLE widget_asset (
  build TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  bytes BLOB NOT NULL,
  put_at INTEGER NOT NULL,
  PRIMARY KEY (build, name)
) STRICT;

CREATE INDEX widget_asset_age ON widget_asset (put_at);
