-- Why a line of a settlement file was not matched; null: it was, or it was read before this column was there. A duplicate is in no report
-- until a user has matched it with a payment.
ALTER TABLE settlement_record ADD COLUMN exception TEXT;
