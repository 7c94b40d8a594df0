-- What changed about entities and access tokens, in the order of the commits: a thread reads what came after its own last row and takes over
-- the rows of these keys. `key` is the entity, the merchant of a channel, or the user of a token.
CREATE TABLE directory_change (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  CONSTRAINT directory_change_kind CHECK (kind IN ('entity', 'token'))
) STRICT;
-- There is always a newest row.
INSERT INTO directory_change (seq, kind, key) VALUES (0, 'entity', '');

CREATE TRIGGER entity_inserted AFTER INSERT ON entity BEGIN
  INSERT INTO directory_change (kind, key)
  VALUES ('entity', CASE NEW.kind WHEN 'channel' THEN coalesce(NEW.parent_id, NEW.id) ELSE NEW.id END);
END;
CREATE TRIGGER entity_updated AFTER UPDATE ON entity BEGIN
  INSERT INTO directory_change (kind, key)
  VALUES ('entity', CASE NEW.kind WHEN 'channel' THEN coalesce(NEW.parent_id, NEW.id) ELSE NEW.id END);
END;
CREATE TRIGGER entity_deleted AFTER DELETE ON entity BEGIN
  INSERT INTO directory_change (kind, key)
  VALUES ('entity', CASE OLD.kind WHEN 'channel' THEN coalesce(OLD.parent_id, OLD.id) ELSE OLD.id END);
END;
CREATE TRIGGER access_token_inserted AFTER INSERT ON access_token BEGIN
  INSERT INTO directory_change (kind, key) VALUES ('token', NEW.user_id);
END;
-- The day of a token's last use is no change: no request is refused or admitted by it.
CREATE TRIGGER access_token_updated AFTER UPDATE OF token_hash, entity_id, user_id, ends_at ON access_token BEGIN
  INSERT INTO directory_change (kind, key) VALUES ('token', OLD.user_id), ('token', NEW.user_id);
END;
CREATE TRIGGER access_token_deleted AFTER DELETE ON access_token BEGIN
  INSERT INTO directory_change (kind, key) VALUES ('token', OLD.user_id);
END;

-- Changed entities and tokens are read by key, lists by page.
CREATE INDEX entity_below ON entity (parent_id, name, id);
CREATE INDEX access_token_user ON access_token (user_id);
CREATE INDEX access_token_entity ON access_token (entity_id, token_hash);
