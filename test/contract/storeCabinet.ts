import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Paper } from '../../src/users/documents.ts';
import { NOW, nextId, type Opened } from './storeFixtures.ts';

const paper = (changes: Partial<Paper> = {}): Paper => ({
  drawer: 'view',
  id: nextId(),
  ownerId: nextId(),
  at: NOW,
  revision: 1,
  body: { name: 'Büro „Übersicht“', columns: ['a', 'b'], nothing: null },
  ...changes,
});

const gone = ({ drawer, id, revision }: Paper) => ({ drawer, id, revision, isGone: true }) as const;

/** A paper is found by its name and by its owner, and changed only on the revision before. */
export function cabinetContract(name: string, opened: () => Opened): void {
  test(`${name}: a paper is read as it was filed`, async () => {
    const { store } = opened();
    const one = paper();
    assert.equal(await store.paper(one.drawer, one.id), null);
    assert.equal(await store.filePapers([one]), true);
    assert.deepEqual(await store.paper(one.drawer, one.id), one);
    assert.equal(await store.paper('session', one.id), null, 'another drawer');
  });

  test(`${name}: a paper is filed only on the revision before it`, async () => {
    const { store } = opened();
    const first = paper();
    const second = { ...first, revision: 2, at: NOW + 1, body: 7, ownerId: nextId() };
    assert.equal(await store.filePapers([second]), false, 'there is none yet');
    assert.equal(await store.filePapers([first]), true);
    assert.equal(await store.filePapers([first]), false, 'it is there');
    const both = await Promise.all([second, { ...second, body: 8 }].map((one) => store.filePapers([one])));
    assert.deepEqual(both.toSorted(), [false, true]);
    assert.equal((await store.paper(first.drawer, first.id))?.revision, 2);
    assert.equal(await store.filePapers([gone(first)]), false, 'it has gone on');
    assert.equal(await store.filePapers([gone(second)]), true);
    assert.equal(await store.paper(first.drawer, first.id), null);
    await assert.rejects(store.filePapers([paper({ at: 0.5 })]));
  });

  test(`${name}: papers are filed together or not at all`, async () => {
    const { store } = opened();
    const [known, fresh] = [paper(), paper()];
    await store.filePapers([known]);
    assert.equal(await store.filePapers([fresh, { ...known, revision: 3 }]), false);
    assert.equal(await store.paper(fresh.drawer, fresh.id), null);
    assert.equal(await store.filePapers([fresh, gone(known)]), true);
    assert.deepEqual(await store.paper(fresh.drawer, fresh.id), fresh);
    assert.equal(await store.paper(known.drawer, known.id), null);
  });

  test(`${name}: an owner's papers come page by page, the youngest first`, async () => {
    const { store } = opened();
    const ownerId = nextId();
    const all = [5, 1, 3, 3, 9].map((later) => paper({ ownerId, at: NOW + later }));
    await store.filePapers([...all, paper(), paper({ ownerId, drawer: 'session' })]);
    const expected = all.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
    const page = await store.papers({ drawer: 'view', ownerId, limit: 3 });
    assert.deepEqual(page, expected.slice(0, 3));
    const { at, id } = page.at(-1) as Paper;
    assert.deepEqual(await store.papers({ drawer: 'view', ownerId, limit: 3, before: { at, id } }), expected.slice(3));
  });

  test(`${name}: what is old is thrown away, of one drawer`, async () => {
    const { store } = opened();
    const drawer = `session${nextId()}`;
    const [old, young, other] = [paper({ drawer, at: NOW - 1 }), paper({ drawer }), paper({ at: 0 })];
    await store.filePapers([old, young, other]);
    assert.equal(await store.forgetPapers(drawer, NOW), 1);
    assert.equal(await store.paper(drawer, old.id), null);
    assert.ok(await store.paper(drawer, young.id));
    assert.ok(await store.paper(other.drawer, other.id));
  });
}
