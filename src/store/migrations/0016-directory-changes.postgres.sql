-- What changed about entities and access tokens, in the order of the commits: a node reads what came after its own last row and takes over the
-- rows of these keys. `key` is the entity, the merchant of a channel, or the user of a token.
CREATE TABLE directory_change (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  CONSTRAINT directory_change_kind CHECK (kind IN ('entity', 'token'))
);
-- There is always a newest row.
INSERT INTO directory_change (seq, kind, key) OVERRIDING SYSTEM VALUE VALUES (0, 'entity', '');

-- The lock is held until the commit: a number is never read before a smaller one.
CREATE FUNCTION note_entity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7120946216);
  INSERT INTO directory_change (kind, key)
  SELECT DISTINCT 'entity', CASE kind WHEN 'channel' THEN coalesce(parent_id, id) ELSE id END FROM changed;
  RETURN NULL;
END $$;
CREATE FUNCTION note_token_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7120946216);
  INSERT INTO directory_change (kind, key) SELECT DISTINCT 'token', user_id FROM changed;
  RETURN NULL;
END $$;
-- The day of a token's last use is no change: no node refuses or admits a request by it.
CREATE FUNCTION note_token_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM changed c JOIN former f USING (token_hash, entity_id)
             WHERE c.user_id IS DISTINCT FROM f.user_id OR c.ends_at IS DISTINCT FROM f.ends_at)
     OR (SELECT count(*) FROM changed c JOIN former f USING (token_hash, entity_id)) < (SELECT count(*) FROM changed) THEN
    PERFORM pg_advisory_xact_lock(7120946216);
    INSERT INTO directory_change (kind, key) SELECT 'token', user_id FROM changed UNION SELECT 'token', user_id FROM former;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER entity_inserted AFTER INSERT ON entity REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_entity_change();
CREATE TRIGGER entity_updated AFTER UPDATE ON entity REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_entity_change();
CREATE TRIGGER entity_deleted AFTER DELETE ON entity REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_entity_change();
CREATE TRIGGER access_token_inserted AFTER INSERT ON access_token REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_token_change();
CREATE TRIGGER access_token_updated AFTER UPDATE ON access_token REFERENCING NEW TABLE AS changed OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION note_token_end();
CREATE TRIGGER access_token_deleted AFTER DELETE ON access_token REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_token_change();

-- Changed entities and tokens are read by key, lists by page.
CREATE INDEX entity_below ON entity (parent_id, name, id);
CREATE INDEX access_token_user ON access_token (user_id);
CREATE INDEX access_token_entity ON access_token (entity_id, token_hash);
