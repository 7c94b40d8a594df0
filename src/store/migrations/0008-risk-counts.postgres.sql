-- Every change of the lists is counted, once for a statement: its row is the last that a statement locks, so that two who change the
-- lists wait for each other and never both. The same stands in 0008-risk-counts.sqlite.sql.

CREATE FUNCTION count_list_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM touched) THEN
    UPDATE risk_list_change SET count = count + 1 WHERE one = 1;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION count_list_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE risk_list_change SET count = count + 1 WHERE one = 1;
  RETURN NULL;
END $$;

CREATE TRIGGER risk_list_entry_put AFTER INSERT ON risk_list_entry
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();

CREATE TRIGGER risk_list_entry_changed AFTER UPDATE ON risk_list_entry
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();

CREATE TRIGGER risk_list_entry_removed AFTER DELETE ON risk_list_entry
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();

CREATE TRIGGER risk_list_entry_all_removed AFTER TRUNCATE ON risk_list_entry
FOR EACH STATEMENT EXECUTE FUNCTION count_list_end();

CREATE TRIGGER risk_list_change_rises BEFORE UPDATE ON risk_list_change
FOR EACH ROW WHEN (NEW.count <= OLD.count OR NEW.one <> OLD.one)
EXECUTE FUNCTION refuse('changes are counted upwards');

CREATE TRIGGER risk_list_change_stays BEFORE DELETE ON risk_list_change
FOR EACH ROW EXECUTE FUNCTION refuse('changes are counted upwards');

CREATE TRIGGER risk_list_change_all_stay BEFORE TRUNCATE ON risk_list_change
FOR EACH STATEMENT EXECUTE FUNCTION refuse('changes are counted upwards');
