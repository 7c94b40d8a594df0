-- Payments that are taken again and again, and the news of payments on their way to merchants.

CREATE TABLE plan (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  registration_id TEXT NOT NULL,
  state TEXT NOT NULL,
  next_at INTEGER,
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- The rest of the plan as JSON.
  data TEXT NOT NULL,
  -- Until then a node works on it; 0: none does.
  claimed_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, id),
  CONSTRAINT plan_state CHECK (state IN ('active', 'ending', 'over')),
  CONSTRAINT plan_over CHECK ((state = 'over') = (next_at IS NULL)),
  CONSTRAINT plan_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX plan_next ON plan (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX plan_next_of_merchant ON plan (merchant_id, next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX plan_registration ON plan (merchant_id, registration_id, created_at, id);

-- What became of every instant at which a plan was due. The key is the last word on it: no instant is charged twice.
CREATE TABLE plan_run (
  merchant_id TEXT NOT NULL,
  plan_id TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  done_at INTEGER NOT NULL,
  payment_id TEXT,
  skipped TEXT,
  PRIMARY KEY (merchant_id, plan_id, due_at),
  CONSTRAINT plan_run_outcome CHECK ((payment_id IS NULL) <> (skipped IS NULL))
) STRICT;

CREATE TABLE webhook (
  -- It may stand above merchants, so that none can be in front.
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- The rest of the webhook as JSON.
  data TEXT NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT webhook_state CHECK (state IN ('unproven', 'active', 'paused', 'off')),
  CONSTRAINT webhook_revision CHECK (revision >= 1)
) STRICT;

-- News on their way to one webhook, with a copy of the news: those of the outbox may be forgotten sooner. A webhook may have most of the
-- rows; what stands in front of a key is what tells rows apart.
CREATE TABLE delivery (
  id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  news_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  action TEXT,
  code TEXT NOT NULL,
  happened_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  -- Not looked at before: the due instant, or a later one of earlier news of the same subject. It spares work and decides nothing.
  ready_at INTEGER NOT NULL,
  tries TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Until then a node works on it; 0: none does.
  claimed_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CONSTRAINT delivery_once UNIQUE (news_id, merchant_id, webhook_id),
  CONSTRAINT delivery_state CHECK (state IN ('due', 'delivered', 'dead')),
  CONSTRAINT delivery_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX delivery_due ON delivery (webhook_id, ready_at, id) WHERE state = 'due';
CREATE INDEX delivery_due_of_merchant ON delivery (merchant_id, webhook_id, ready_at, id) WHERE state = 'due';
CREATE INDEX delivery_subject ON delivery (subject_id, merchant_id, webhook_id, revision) WHERE state = 'due';
CREATE INDEX delivery_list ON delivery (webhook_id, state, created_at, id);
CREATE INDEX delivery_ended ON delivery (due_at) WHERE state <> 'due';

-- What happened while there were no webhooks is told to none.
UPDATE outbox SET state = 'spread' WHERE state = 'new';
CREATE INDEX outbox_spread ON outbox (created_at) WHERE state = 'spread';
