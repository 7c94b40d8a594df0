-- The addresses from which a token is accepted, as a JSON list of addresses and CIDR blocks; null: from anywhere.
ALTER TABLE access_token ADD COLUMN allowed_addresses TEXT;

-- As in 0016, and a new list is a change as well.
DROP TRIGGER access_token_updated;
CREATE TRIGGER access_token_updated AFTER UPDATE OF token_hash, entity_id, user_id, ends_at, allowed_addresses ON access_token BEGIN
  INSERT INTO directory_change (kind, key) VALUES ('token', OLD.user_id), ('token', NEW.user_id);
END;
