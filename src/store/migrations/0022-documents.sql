-- What the people of the back office keep: users, sessions, invitations, views and the like.

CREATE TABLE document (
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (collection, id),
  CONSTRAINT document_revision CHECK (revision >= 1)
) STRICT;

CREATE INDEX document_of_owner ON document (collection, owner_id, at, id);
CREATE INDEX document_by_age ON document (collection, at);
