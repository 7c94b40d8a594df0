-- Merchants in several databases (decisions/0065). A gateway with one database has no rows in these tables and none of the triggers.

-- The cell that a merchant lives in. Only the control database has rows.
CREATE TABLE merchant_cell (
  merchant_id text COLLATE "C" PRIMARY KEY,
  cell text COLLATE "C" NOT NULL,
  -- One more with every move.
  epoch bigint NOT NULL DEFAULT 1,
  CONSTRAINT merchant_cell_epoch CHECK (epoch >= 1)
);

-- Nodes learn of a move as they learn of every change of an entity. A merchant who is placed for the first time is in no node's map.
CREATE FUNCTION note_merchant_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7120946216);
  INSERT INTO directory_change (kind, key) SELECT 'entity', merchant_id FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER merchant_cell_moved AFTER UPDATE ON merchant_cell REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_merchant_move();
CREATE TRIGGER merchant_cell_rises BEFORE UPDATE ON merchant_cell
FOR EACH ROW WHEN (NEW.merchant_id <> OLD.merchant_id OR NEW.epoch <= OLD.epoch)
EXECUTE FUNCTION refuse('every move of a merchant raises the epoch');

-- The merchants that a cell owns or has owned. A row is never deleted: a node with an old map cannot make a merchant who left come back.
CREATE TABLE owned_merchant (
  merchant_id text COLLATE "C" PRIMARY KEY,
  epoch bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  CONSTRAINT owned_merchant_state CHECK (state IN ('here', 'gone')),
  CONSTRAINT owned_merchant_epoch CHECK (epoch >= 1)
);
CREATE TRIGGER owned_merchant_rises BEFORE UPDATE ON owned_merchant
FOR EACH ROW WHEN (NEW.merchant_id <> OLD.merchant_id OR NEW.epoch <= OLD.epoch)
EXECUTE FUNCTION refuse('every move of a merchant raises the epoch');
CREATE TRIGGER owned_merchant_no_delete BEFORE DELETE ON owned_merchant
FOR EACH ROW EXECUTE FUNCTION refuse('a cell remembers the merchants who left');

-- Refuses what is written about a merchant that the cell does not own. The lock is shared between writers and held until they commit: whoever takes
-- it alone and then marks the merchant as gone has waited for all of them, and those who come later read the mark.
CREATE FUNCTION check_merchant_fence() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stranger text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended(owner.id, 7120946218))
  FROM (SELECT DISTINCT merchant_id AS id FROM changed WHERE merchant_id IS NOT NULL ORDER BY 1) owner;
  SELECT c.merchant_id INTO stranger FROM changed c
  WHERE c.merchant_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM owned_merchant o WHERE o.merchant_id = c.merchant_id AND o.state = 'here'
  ) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'merchant_fence: the merchant % does not live in this cell', stranger
      USING ERRCODE = 'check_violation', CONSTRAINT = 'merchant_fence';
  END IF;
  RETURN NULL;
END $$;
