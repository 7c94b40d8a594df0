-- What this database is to gateways with several (decisions/0070): the control database of one, one of its cells, or both. A database that is neither has
-- no rows.
CREATE TABLE cell_identity (
  part text COLLATE "C" PRIMARY KEY,
  -- Made up when control becomes control. Cells repeat it.
  control_id text COLLATE "C" NOT NULL,
  -- The name of the cell; empty for control.
  name text COLLATE "C" NOT NULL,
  CONSTRAINT cell_identity_part CHECK (part IN ('control', 'cell')),
  CONSTRAINT cell_identity_name CHECK ((part = 'control') = (name = ''))
);
CREATE TRIGGER cell_identity_fixed BEFORE UPDATE OR DELETE ON cell_identity
FOR EACH ROW EXECUTE FUNCTION refuse('a database never becomes another cell');
