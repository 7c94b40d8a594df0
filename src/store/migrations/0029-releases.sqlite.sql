-- When the rest of an approved authorisation is looked at: it is released after the validity has ended (decisions/0096). -1: never again. Null in an
-- approved authorisation from before the column, or from a node of the release before: it is due immediately, and the job finds its end.
ALTER TABLE payment ADD COLUMN release_at INTEGER;

CREATE INDEX payment_release ON payment (COALESCE(release_at, 0), id)
  WHERE payment_type = 'PA' AND state = 'approved' AND COALESCE(release_at, 0) >= 0;
CREATE INDEX payment_release_of_merchant ON payment (merchant_id, COALESCE(release_at, 0), id)
  WHERE payment_type = 'PA' AND state = 'approved' AND COALESCE(release_at, 0) >= 0;
