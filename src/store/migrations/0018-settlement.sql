-- Files of acquirers and their lines. What a line says stands in its data; the columns are what it is found, listed and counted by.

CREATE TABLE settlement_file (
  -- It may be of somebody above merchants, so that none can be in front.
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  psp_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  state TEXT NOT NULL,
  read_until INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- The rest of the file as JSON.
  data TEXT NOT NULL,
  PRIMARY KEY (id),
  -- The last word on it: the same bytes count once.
  CONSTRAINT settlement_file_once UNIQUE (entity_id, digest),
  CONSTRAINT settlement_file_state CHECK (state IN ('reading', 'kept', 'refused', 'dropping'))
) STRICT;

-- Of the files of one PSP one is read at a time: two could settle the same payment without seeing each other.
CREATE UNIQUE INDEX settlement_file_reading ON settlement_file (psp_id) WHERE state = 'reading';
-- What was begun and not ended.
CREATE INDEX settlement_file_unfinished ON settlement_file (created_at, id) WHERE state IN ('reading', 'dropping');
CREATE INDEX settlement_file_list ON settlement_file (entity_id, created_at, id);

CREATE TABLE settlement_record (
  -- Made of the file's id and a number within it, so that ids rise with both.
  id TEXT NOT NULL,
  file_id TEXT NOT NULL,
  -- Who brought the file.
  brought_by TEXT NOT NULL,
  merchant_id TEXT,
  entity_id TEXT,
  line INTEGER NOT NULL,
  record_type TEXT NOT NULL,
  status TEXT NOT NULL,
  is_open INTEGER NOT NULL,
  -- Of a matched one.
  payment_id TEXT,
  chargeback_id TEXT,
  settled_on TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- What the merchant got, below zero what was taken from him.
  amount INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT settlement_record_status CHECK (status IN ('MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED')),
  CONSTRAINT settlement_record_match CHECK ((status = 'MATCHED') = (payment_id IS NOT NULL)),
  CONSTRAINT settlement_record_owner CHECK (payment_id IS NULL OR merchant_id IS NOT NULL),
  CONSTRAINT settlement_record_open CHECK (is_open IN (0, 1)),
  CONSTRAINT settlement_record_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX settlement_record_file ON settlement_record (file_id, id);
CREATE INDEX settlement_record_day ON settlement_record (merchant_id, settled_on, id) WHERE merchant_id IS NOT NULL;
CREATE INDEX settlement_record_payment ON settlement_record (merchant_id, payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX settlement_record_waiting ON settlement_record (brought_by, id) WHERE is_open = 1;
CREATE INDEX settlement_record_due ON settlement_record (id)
  WHERE status = 'MATCHED' AND chargeback_id IS NULL AND record_type IN ('CHARGEBACK', 'CHARGEBACK REVERSAL');
