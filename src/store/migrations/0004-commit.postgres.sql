-- How the statement that writes a batch of commits says that one of them contradicts what is stored.
CREATE FUNCTION broken_commit(payment_id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the stored payment % is not the one that the commit continues', payment_id
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'broken_commit';
END $$;
