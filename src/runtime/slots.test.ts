import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSlots } from './slots.ts';

test('a thing is found under its number until it is taken, whatever else comes and goes', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 12 }), { maxLength: 200 }), (steps) => {
      const slots = createSlots<{ readonly step: number }>();
      const known = new Map<number, { readonly step: number }>();
      for (const [step, choice] of steps.entries()) {
        if (choice < 6) {
          const thing = { step };
          const at = slots.add(thing);
          assert.ok(!known.has(at), 'a number has one thing');
          known.set(at, thing);
        } else {
          const at = [...known.keys()][choice - 6] ?? choice;
          assert.equal(slots.take(at), known.get(at));
          assert.equal(slots.take(at), undefined);
          known.delete(at);
        }
        assert.equal(slots.size(), known.size);
        assert.deepEqual(new Set(slots.all()), new Set(known.values()));
      }
      // As many places as there were things at once, and no more.
      assert.deepEqual(new Set(slots.takeAll()), new Set(known.values()));
      assert.equal(slots.size(), 0);
      assert.equal(slots.add({ step: -1 }), 0);
    }),
  );
});
