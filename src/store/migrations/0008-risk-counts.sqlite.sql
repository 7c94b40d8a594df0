-- Every change of the lists is counted. The same stands in 0008-risk-counts.postgres.sql.

CREATE TRIGGER risk_list_entry_put AFTER INSERT ON risk_list_entry
BEGIN
  UPDATE risk_list_change SET count = count + 1 WHERE one = 1;
END;

CREATE TRIGGER risk_list_entry_changed AFTER UPDATE ON risk_list_entry
BEGIN
  UPDATE risk_list_change SET count = count + 1 WHERE one = 1;
END;

CREATE TRIGGER risk_list_entry_removed AFTER DELETE ON risk_list_entry
BEGIN
  UPDATE risk_list_change SET count = count + 1 WHERE one = 1;
END;

CREATE TRIGGER risk_list_change_rises BEFORE UPDATE ON risk_list_change
WHEN NEW.count <= OLD.count OR NEW.one <> OLD.one
BEGIN
  SELECT RAISE(ABORT, 'risk_list_change_rises: changes are counted upwards');
END;

CREATE TRIGGER risk_list_change_stays BEFORE DELETE ON risk_list_change
BEGIN
  SELECT RAISE(ABORT, 'risk_list_change_stays: changes are counted upwards');
END;
