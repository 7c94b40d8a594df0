-- The addresses from which a token is accepted, as a JSON list of addresses and CIDR blocks; null: from anywhere. A node of the version before
-- knows nothing of it, and accepts the token from anywhere.
ALTER TABLE access_token ADD COLUMN allowed_addresses text COLLATE "C";

-- As in 0016, and a new list is a change as well.
CREATE OR REPLACE FUNCTION note_token_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM changed c JOIN former f USING (token_hash, entity_id)
             WHERE c.user_id IS DISTINCT FROM f.user_id OR c.ends_at IS DISTINCT FROM f.ends_at
                OR c.allowed_addresses IS DISTINCT FROM f.allowed_addresses)
     OR (SELECT count(*) FROM changed c JOIN former f USING (token_hash, entity_id)) < (SELECT count(*) FROM changed) THEN
    PERFORM pg_advisory_xact_lock(7120946216);
    INSERT INTO directory_change (kind, key) SELECT 'token', user_id FROM changed UNION SELECT 'token', user_id FROM former;
  END IF;
  RETURN NULL;
END $$;
