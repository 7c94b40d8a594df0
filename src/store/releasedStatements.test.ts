import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readReleased, type Schema, schemas } from '../../scripts/release/statements.ts';
import { migrationsOf, neededSchema } from './migrate.ts';

/** Nodes of the release before work on the newest schema: all of its statements are understood there (docs/upgrading.md). */

const released = readReleased();

for (const dialect of ['sqlite', 'postgres'] as const) {
  describe(dialect, () => {
    let schema: Schema;
    before(async () => {
      schema = await schemas[dialect]();
    });
    after(() => schema.close());
    const statements = released.statements[dialect];
    const refusals = async (): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const text of statements) {
        const refusal = await schema.refusalOf(text);
        if (refusal !== null) found.push(`${refusal}: ${text}`);
      }
      return found;
    };

    test(`${dialect}: every statement of ${released.version} is understood by the newest schema`, async () => {
      assert.deepEqual(await refusals(), []);
      // A list that is no longer written would pass unseen.
      assert.ok(statements.length > 150, `${statements.length} statements`);
    });

    test(`${dialect}: no migration needs a newer program than ${released.version}`, () => {
      const demanding = migrationsOf(dialect).filter(({ name }) => neededSchema(name) > released.schema);
      assert.deepEqual(demanding, []);
    });

    test(`${dialect}: the control: a column that is gone is noticed`, async () => {
      await schema.alter('ALTER TABLE delivery RENAME COLUMN tries TO attempts');
      assert.ok((await refusals()).length > 0);
      await schema.alter('ALTER TABLE delivery RENAME COLUMN attempts TO tries');
    });
  });
}
