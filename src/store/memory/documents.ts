import type { CabinetStore, Paper } from '../../users/documents.ts';
import { checkPapers } from '../tables/documents.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

const isOlder = (one: Pick<Paper, 'at' | 'id'>, other: Pick<Paper, 'at' | 'id'>): boolean =>
  one.at < other.at || (one.at === other.at && one.id < other.id);

/** As a database would give it back. */
const kept = (paper: Paper): Paper => ({ ...paper, body: JSON.parse(JSON.stringify(paper.body)) });

/** The papers of the back office in memory. */
export function cabinetMethods({ papers }: Tables, whileOpen: WhileOpen): CabinetStore {
  return {
    paper: whileOpen((drawer, id) => papers.get(join(drawer, id)) ?? null),
    papers: whileOpen(({ drawer, ownerId, before = { at: Number.MAX_SAFE_INTEGER, id: '' }, limit }) =>
      [...papers.values()]
        .filter((paper) => paper.drawer === drawer && paper.ownerId === ownerId && isOlder(paper, before))
        .sort((one, other) => (isOlder(one, other) ? 1 : -1))
        .slice(0, limit),
    ),
    filePapers: whileOpen((changes) => {
      checkPapers(changes);
      const before = new Map(papers);
      for (const change of changes) {
        const name = join(change.drawer, change.id);
        const revision = papers.get(name)?.revision ?? 0;
        if (revision !== ('isGone' in change ? change.revision : change.revision - 1)) {
          papers.clear();
          for (const [key, paper] of before) papers.set(key, paper);
          return false;
        }
        if ('isGone' in change) papers.delete(name);
        else papers.set(name, kept(change));
      }
      return true;
    }),
    forgetPapers: whileOpen((drawer, before) => {
      const old = [...papers].filter(([, paper]) => paper.drawer === drawer && paper.at < before);
      for (const [name] of old) papers.delete(name);
      return old.length;
    }),
  };
}
