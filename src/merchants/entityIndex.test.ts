import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createEntityIndex } from './entityIndex.ts';
import type { EntityCells, EntityKind } from './ports.ts';
import { createTokenIndex } from './tokenIndex.ts';
import { tokenHash, tokenOf } from './tokens.ts';

const idOf = (at: number): string => at.toString(16).padStart(32, '0');

const kinds: readonly EntityKind[] = ['psp', 'division', 'merchant', 'channel'];
const IDS = 12;
const step = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    id: fc.nat(IDS - 1),
    // Below an entity with a smaller number: there are no circles.
    below: fc.nat(IDS),
    kind: fc.constantFrom(...kinds),
    settings: fc.constantFrom('{}', '{"isLenient":true}', '{"timeZone":"UTC"}', '{"timeZone":"UTC","isLenient":false}'),
  }),
  fc.record({ do: fc.constant('remove' as const), id: fc.nat(IDS - 1) }),
);

test('entities: the index is what a map of rows would be', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const index = createEntityIndex();
      const rows = new Map<string, EntityCells>();
      const below = (id: string): readonly string[] =>
        rows.has(id)
          ? [id, ...[...rows.values()].filter(([, , parent]) => parent === id).flatMap(([child]) => below(child))]
          : [];
      let revision = 0;
      for (const one of steps) {
        const id = idOf(one.id);
        revision += 1;
        if (one.do === 'remove') {
          index.remove(id);
          for (const gone of below(id)) rows.delete(gone);
          continue;
        }
        const parent = one.below < one.id ? idOf(one.below) : null;
        if (parent !== null && !rows.has(parent)) continue;
        const cells: EntityCells = [id, one.kind, parent, `Name ${revision}`, one.settings, revision];
        assert.ok(index.put(cells));
        rows.set(id, cells);
      }
      for (let at = 0; at < IDS; at += 1) {
        const id = idOf(at);
        const row = index.rowOf(id);
        const read = row < 0 ? null : index.read(row);
        assert.deepEqual(
          read && [read.id, read.kind, read.parentId, read.name, JSON.stringify(read.settings), read.revision],
          rows.get(id) ?? null,
        );
        assert.deepEqual(index.idsBelow(id).toSorted(), below(id).toSorted());
        assert.equal(index.revisionOf(id), rows.get(id)?.[5] ?? 0);
      }
      const ids = (is: (cells: EntityCells) => boolean) =>
        [...rows.values()]
          .filter(is)
          .map(([id]) => id)
          .toSorted();
      for (const kind of kinds)
        assert.deepEqual(
          index.idsOfKind(kind, IDS).toSorted(),
          ids(([, other]) => other === kind),
        );
      assert.ok(index.idsOfKind('channel', 1).length <= 1);
      for (const setting of ['isLenient', 'timeZone', 'risk'])
        assert.deepEqual(
          index.ownersOf(setting).toSorted(),
          ids(([, , , , text]) => text.includes(`"${setting}"`)),
        );
    }),
  );
});

const tokenStep = fc.record({ user: fc.nat(5), tokens: fc.uniqueArray(fc.nat(3), { maxLength: 4 }) });

test('tokens: a user has the tokens that came last', () => {
  fc.assert(
    fc.property(fc.array(tokenStep, { maxLength: 30 }), (steps) => {
      const index = createTokenIndex();
      const known = new Map<number, readonly number[]>();
      const text = (user: number, token: number) => tokenOf(idOf(user), `password-${token}`);
      for (const { user, tokens } of steps) {
        const cells = tokens.map(
          (token) => [tokenHash(text(user, token)), idOf(100 + token), idOf(user), null, null, null] as const,
        );
        assert.deepEqual(index.replace([idOf(user)], cells), []);
        known.set(user, tokens);
      }
      for (let user = 0; user <= 5; user += 1)
        for (let token = 0; token <= 3; token += 1)
          assert.deepEqual(index.granted(text(user, token), 0, ''), known.get(user)?.includes(token) ? [idOf(100 + token)] : []);
    }),
  );
});
