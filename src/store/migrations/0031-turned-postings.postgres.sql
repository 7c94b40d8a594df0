-- Earlier versions booked two kinds of transactions in the wrong direction (decisions/0092): refunds of credits, and chargebacks of refunds that the API had
-- recorded, with their reversals. Each of those postings is turned round by one of twice its amounts with the opposite signs, under the negative of its
-- revision; what is sealed stays as it is (decisions/0106). A posting that was right is left alone.
WITH wrong AS (
  SELECT p.merchant_id, p.id, 'in' AS booked
  FROM payment p JOIN payment r ON r.merchant_id = p.merchant_id AND r.id = p.referenced_id
  WHERE p.payment_type = 'RF' AND r.payment_type = 'CD'
  UNION ALL
  SELECT p.merchant_id, p.id, 'out'
  FROM payment p JOIN payment r ON r.merchant_id = p.merchant_id AND r.id = p.referenced_id
  WHERE p.payment_type = 'CB' AND r.payment_type = 'RF'
  UNION ALL
  SELECT p.merchant_id, p.id, 'in'
  FROM payment p JOIN payment r ON r.merchant_id = p.merchant_id AND r.id = p.referenced_id
  JOIN payment f ON f.merchant_id = r.merchant_id AND f.id = r.referenced_id
  WHERE p.payment_type = 'CR' AND r.payment_type = 'CB' AND f.payment_type = 'RF'
  UNION ALL
  SELECT p.merchant_id, p.id, 'out'
  FROM payment p JOIN payment r ON r.merchant_id = p.merchant_id AND r.id = p.referenced_id
  JOIN payment c ON c.merchant_id = r.merchant_id AND c.id = r.referenced_id
  JOIN payment f ON f.merchant_id = c.merchant_id AND f.id = c.referenced_id
  WHERE p.payment_type = 'CB' AND r.payment_type = 'CR' AND c.payment_type = 'CB' AND f.payment_type = 'RF'
)
INSERT INTO posting (merchant_id, subject_id, revision, kind, at, currency, mode, shopper, reserve, contra, merchant, acquirer, fees, chargebacks)
SELECT b.merchant_id, b.subject_id, -b.revision, b.kind, (EXTRACT(EPOCH FROM now()) * 1000)::bigint, b.currency, b.mode,
  -2 * b.shopper, -2 * b.reserve, -2 * b.contra, -2 * b.merchant, -2 * b.acquirer, -2 * b.fees, -2 * b.chargebacks
FROM wrong w JOIN posting b ON b.merchant_id = w.merchant_id AND b.subject_id = w.id
WHERE b.kind = 'payment' AND b.revision > 0 AND CASE
  -- Money in flight: the first posting of an open transaction, and its reversal in a posting that books nothing.
  WHEN b.merchant = 0 AND b.revision = 1 THEN (CASE w.booked WHEN 'in' THEN b.shopper > 0 ELSE b.shopper < 0 END)
  WHEN b.merchant = 0 THEN (CASE w.booked WHEN 'in' THEN b.shopper < 0 ELSE b.shopper > 0 END)
  WHEN w.booked = 'in' THEN b.merchant > 0
  ELSE b.merchant < 0
END;
