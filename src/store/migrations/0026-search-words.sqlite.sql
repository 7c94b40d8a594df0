-- An inverted index takes the place of search_key: a portion of payments is written as one sorted piece instead of a page for nearly every
-- key. search_key and search_cursor stay for nodes of the release before, which write and read them.
-- A word is the merchant, the letter of a kind and the value, in hex: one token whatever the texts hold, and the word of a prefix is a
-- prefix of the word. The number of an entry is 1,024 times the instant of the payment, and the last ten bits of its row number: entries
-- stand in the order of time.
CREATE VIRTUAL TABLE search_word USING fts5 (words, content = '', detail = none, columnsize = 0, tokenize = 'ascii');

-- The row number of the last payment whose words are written.
CREATE TABLE search_word_cursor (
  id INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  CONSTRAINT search_word_cursor_one CHECK (id = 1)
) STRICT;

CREATE TRIGGER search_word_cursor_no_delete BEFORE DELETE ON search_word_cursor
BEGIN
  SELECT RAISE(ABORT, 'search_word_cursor_no_delete: the cursor is never deleted');
END;

CREATE TRIGGER search_word_cursor_advances BEFORE UPDATE ON search_word_cursor
WHEN NEW.id <> OLD.id OR NEW.last <= OLD.last
BEGIN
  SELECT RAISE(ABORT, 'search_word_cursor_advances: the cursor only advances');
END;

-- Words and cursor are one change. In the order of the entries, because the index starts a new piece for each that is not above the one
-- before. Payments of one number, which only a frozen test clock can give, share an entry with the words of all of them. In a trigger the
-- numbers of entries are not the connection's last row number, which JavaScript could not hold.
CREATE TRIGGER search_word_cursor_writes AFTER UPDATE ON search_word_cursor
BEGIN
  INSERT INTO search_word (rowid, words)
  SELECT (created_at << 10) | (rowid & 1023), group_concat(concat_ws(' ',
      CASE WHEN last4 IS NOT NULL THEN hex(merchant_id) || 'l' || hex(last4) END,
      CASE WHEN email_hash IS NOT NULL THEN hex(merchant_id) || 'm' || hex(email_hash) END,
      hex(merchant_id) || 'p' || hex(amount),
      hex(merchant_id) || 's' || hex(short_id)), ' ')
  FROM payment WHERE rowid > OLD.last AND rowid <= NEW.last GROUP BY 1;
END;

-- Pieces are merged when there are sixteen of a size, little by little: to merge all of them at once would keep payments waiting.
INSERT INTO search_word (search_word, rank) VALUES ('automerge', 16);
INSERT INTO search_word (search_word, rank) VALUES ('crisismerge', 64);

INSERT INTO search_word_cursor (id, last) VALUES (1, 0);
-- The payments that there are, in larger pieces.
INSERT INTO search_word (search_word, rank) VALUES ('hashsize', 33554432);
UPDATE search_word_cursor SET last = (SELECT MAX(rowid) FROM payment) WHERE EXISTS (SELECT 1 FROM payment);
INSERT INTO search_word (search_word, rank) VALUES ('hashsize', 1048576);
