import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pageRows } from '../../src/backoffice/pages.ts';
import { noBrowser, type Office, openOffice, type Seat } from './office.ts';

/** Every page of the table, as the operator sees it: in light, in dark, and on a phone in German. */

let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice();
});
after(() => office?.close());

const seats: Readonly<Record<string, Seat>> = {
  light: {},
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, language: 'de' },
};

/** What nobody has is told in words; that it is not there is no fault of the page. */
const isAbsence = (trouble: string, example: string | undefined): boolean =>
  example !== undefined && trouble.startsWith('404:') && trouble.includes(example);

for (const [look, seat] of Object.entries(seats)) {
  test(`${look}: every page stands, fits and can be read by everybody`, { skip: noBrowser }, async () => {
    const { page, go, axe, fits, shot, troubles } = await office.sit(seat);
    for (const { name, path, example } of pageRows) {
      await go(path.replaceAll(/\$\w+/g, example ?? '0'.repeat(32)));
      const heading = await page.getByRole('heading', { level: 1 }).first().textContent();
      assert.ok(heading, `${name} has a heading`);
      assert.match(await page.title(), / · Turnpike$/, name);
      await shot(`${name}-${look}`);
      await fits();
      await axe().catch((error: Error) => assert.fail(`${name}: ${error.message}`));
      const own = troubles.filter((trouble) => !isAbsence(trouble, example));
      assert.deepEqual(own, [], name);
    }
  });
}
