-- What is written here means nothing: readiness is found out by writing it.
CREATE TABLE write_trial (
  id INTEGER NOT NULL PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
