-- What a line of a settlement does to the books, by the rules of settlement/postings.ts: null where it does nothing. Almost the same stands in
-- 0021-settled-books.sqlite.sql.

ALTER TABLE settlement_record ADD COLUMN booked_currency text COLLATE "C";
ALTER TABLE settlement_record ADD COLUMN booked_settled bigint;
ALTER TABLE settlement_record ADD COLUMN booked_fee bigint;

-- The last word on it: a revision of a record is posted once.
CREATE UNIQUE INDEX posting_settlement ON posting (merchant_id, subject_id, revision) WHERE kind = 'settlement';

-- What was brought before the books knew of it.
CREATE TEMPORARY TABLE unbooked AS
SELECT id, its_currency, whole,
  CASE
    WHEN is_fee OR its_currency = currency THEN whole - arrived
    ELSE COALESCE(div(fee::numeric * (10::numeric ^ decimals), NULLIF(digits, 0))::bigint, 0)
  END AS kept
FROM (
  SELECT told.*,
    CASE WHEN is_fee THEN 0 ELSE sign * its_amount END AS whole,
    CASE WHEN its_currency = currency THEN amount ELSE sign * its_amount END AS arrived
  FROM (
    SELECT id, currency, amount, fee,
      data::json ->> 'currency' AS its_currency,
      (data::json ->> 'amount')::bigint AS its_amount,
      CASE data::json ->> 'cashflow' WHEN 'NEG' THEN -1 ELSE 1 END AS sign,
      record_type = 'FEE' OR right(data::json ->> 'transactionType', 4) = '_FEE' AS is_fee,
      replace(data::json ->> 'fxRate', '.', '')::numeric AS digits,
      length(split_part(data::json ->> 'fxRate', '.', 2)) AS decimals
    FROM settlement_record
    WHERE status = 'MATCHED' AND data::json ->> 'status' = 'SUCCESS'
  ) AS told
) AS moved;

UPDATE settlement_record SET booked_currency = u.its_currency, booked_settled = u.whole - u.kept, booked_fee = u.kept
FROM unbooked u WHERE u.id = settlement_record.id AND (u.whole <> 0 OR u.kept <> 0);

DROP TABLE unbooked;

INSERT INTO posting (merchant_id, subject_id, revision, kind, at, currency, mode, merchant, acquirer, fees)
SELECT r.merchant_id, r.id, 2 * r.revision - 1, 'settlement', r.created_at, r.booked_currency, p.mode,
  -r.booked_settled - r.booked_fee, r.booked_settled, r.booked_fee
FROM settlement_record r JOIN settlement_file f ON f.id = r.file_id AND f.state = 'kept'
JOIN payment p ON p.merchant_id = r.merchant_id AND p.id = r.payment_id
WHERE r.booked_settled IS NOT NULL;
