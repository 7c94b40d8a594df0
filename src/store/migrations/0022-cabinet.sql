-- What the people of the back office keep: users, sessions, invitations, views and the like.

CREATE TABLE paper (
  drawer TEXT NOT NULL,
  id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (drawer, id),
  CONSTRAINT paper_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX paper_of_owner ON paper (drawer, owner_id, at, id);
CREATE INDEX paper_by_age ON paper (drawer, at);
