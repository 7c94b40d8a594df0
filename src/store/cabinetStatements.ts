/** Every statement about the papers of the back office, in the form of statements.ts. */

const columns = 'drawer, id, owner_id, at, revision, body';

export const cabinetReads = {
  paper: `SELECT ${columns} FROM paper WHERE drawer = ?1 AND id = ?2`,
  papers: `
    SELECT ${columns} FROM paper WHERE drawer = ?1 AND owner_id = ?2 AND (at, id) < (?3, ?4)
    ORDER BY at DESC, id DESC LIMIT ?5`,
} as const;

export const cabinetWrites = {
  addPaper: `INSERT INTO paper (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`,
  changePaper: `
    UPDATE paper SET owner_id = ?3, at = ?4, revision = ?5, body = ?6 WHERE drawer = ?1 AND id = ?2 AND revision + 1 = ?5`,
  removePaper: 'DELETE FROM paper WHERE drawer = ?1 AND id = ?2 AND revision = ?3',
  forgetPapers: 'DELETE FROM paper WHERE drawer = ?1 AND at < ?2',
} as const;
