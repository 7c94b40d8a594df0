import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredDocument } from '../../src/users/documents.ts';
import { NOW, nextId, type Opened } from './storeFixtures.ts';

const document = (changes: Partial<StoredDocument> = {}): StoredDocument => ({
  collection: 'view',
  id: nextId(),
  ownerId: nextId(),
  at: NOW,
  revision: 1,
  body: { name: 'Büro „Übersicht“', columns: ['a', 'b'], nothing: null },
  ...changes,
});

const gone = ({ collection, id, revision }: StoredDocument) => ({ collection, id, revision, isDeleted: true }) as const;

/** A document is found by its name and by its owner, and changed only on the revision before. */
export function documentContract(name: string, opened: () => Opened): void {
  test(`${name}: a document comes back as stored`, async () => {
    const { store } = opened();
    const one = document();
    assert.equal(await store.document(one.collection, one.id), null);
    assert.equal(await store.saveDocuments([one]), true);
    assert.deepEqual(await store.document(one.collection, one.id), one);
    assert.equal(await store.document('session', one.id), null, 'another collection');
  });

  test(`${name}: a document is saved only on the previous revision`, async () => {
    const { store } = opened();
    const first = document();
    const second = { ...first, revision: 2, at: NOW + 1, body: 7, ownerId: nextId() };
    assert.equal(await store.saveDocuments([second]), false, 'there is none yet');
    assert.equal(await store.saveDocuments([first]), true);
    assert.equal(await store.saveDocuments([first]), false, 'it is there');
    const both = await Promise.all([second, { ...second, body: 8 }].map((one) => store.saveDocuments([one])));
    assert.deepEqual(both.toSorted(), [false, true]);
    assert.equal((await store.document(first.collection, first.id))?.revision, 2);
    assert.equal(await store.saveDocuments([gone(first)]), false, 'it has gone on');
    assert.equal(await store.saveDocuments([gone(second)]), true);
    assert.equal(await store.document(first.collection, first.id), null);
    await assert.rejects(store.saveDocuments([document({ at: 0.5 })]));
  });

  test(`${name}: documents are saved together or not at all`, async () => {
    const { store } = opened();
    const [known, fresh] = [document(), document()];
    await store.saveDocuments([known]);
    assert.equal(await store.saveDocuments([fresh, { ...known, revision: 3 }]), false);
    assert.equal(await store.document(fresh.collection, fresh.id), null);
    assert.equal(await store.saveDocuments([fresh, gone(known)]), true);
    assert.deepEqual(await store.document(fresh.collection, fresh.id), fresh);
    assert.equal(await store.document(known.collection, known.id), null);
  });

  test(`${name}: the documents of an owner are paged, the newest first`, async () => {
    const { store } = opened();
    const ownerId = nextId();
    const all = [5, 1, 3, 3, 9].map((later) => document({ ownerId, at: NOW + later }));
    await store.saveDocuments([...all, document(), document({ ownerId, collection: 'session' })]);
    const expected = all.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
    const page = await store.documents({ collection: 'view', ownerId, limit: 3 });
    assert.deepEqual(page, expected.slice(0, 3));
    const { at, id } = page.at(-1) as StoredDocument;
    assert.deepEqual(await store.documents({ collection: 'view', ownerId, limit: 3, before: { at, id } }), expected.slice(3));
  });

  test(`${name}: old documents of one collection are deleted`, async () => {
    const { store } = opened();
    const collection = `session${nextId()}`;
    const [old, young, other] = [document({ collection, at: NOW - 1 }), document({ collection }), document({ at: 0 })];
    await store.saveDocuments([old, young, other]);
    assert.equal(await store.deleteDocuments(collection, NOW), 1);
    assert.equal(await store.document(collection, old.id), null);
    assert.ok(await store.document(collection, young.id));
    assert.ok(await store.document(other.collection, other.id));
  });
}
