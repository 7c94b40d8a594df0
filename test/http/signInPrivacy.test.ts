import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PASSWORD_COST } from '../../src/users/passwordRules.ts';
import { startGateway } from './gateway.ts';
import { browserOf, createUserWithPassword, userOf } from './userFixture.ts';

/** Nothing reveals whether a user exists: not the text, not the headers, not the time (R30). */

const gateway = await startGateway({ passwordCost: PASSWORD_COST });
after(() => gateway.close());
const ask = browserOf(gateway.backOfficeUrl, null, null);
const MINUTE = 60_000;

const TIMES = 9;
const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** The users to try with a wrong password. */
async function addresses() {
  const known = await Promise.all(Array.from({ length: TIMES }, () => createUserWithPassword(gateway)));
  const invited = await Promise.all(Array.from({ length: TIMES }, () => userOf(gateway)));
  return {
    known: known.map(({ user }) => user.email),
    withoutPassword: invited.map(({ email }) => email),
    nobody: Array.from({ length: TIMES }, (_, at) => `nobody${at}@shop.example`),
  };
}

test('a known user, one without a password and an unknown one get the same reply in the same time', async () => {
  const tried = await addresses();
  const took: Record<string, number[]> = { known: [], withoutPassword: [], nobody: [] };
  const answers = new Set<string>();
  // In turns, so that other load on the machine is the same for all of them.
  for (let at = 0; at < TIMES; at += 1) {
    gateway.pass(MINUTE);
    for (const [kind, emails] of Object.entries(tried)) {
      const began = performance.now();
      const { status, body, headers } = await ask('POST', '/session', {
        email: emails[at],
        password: 'four loud herons at dawn',
      });
      took[kind]?.push(performance.now() - began);
      answers.add(JSON.stringify([status, body.result, [...headers.keys()]]));
    }
  }
  assert.equal(answers.size, 1, [...answers].join('\n'));
  const [known, withoutPassword, nobody] = ['known', 'withoutPassword', 'nobody'].map((kind) => median(took[kind] ?? [])) as [
    number,
    number,
    number,
  ];
  // A hash takes 50 ms and everything else some 2: without it an unknown user would be ten times as fast.
  for (const other of [withoutPassword, nobody]) {
    assert.ok(other > known / 2 && other < known * 2, `${known} ms, ${withoutPassword} ms, ${nobody} ms`);
  }
});

test('expired, used and invented links get the same reply', async () => {
  const texts = new Set<string>();
  for (const token of ['a'.repeat(43), 'b'.repeat(20)]) {
    for (const [path, more] of [
      ['/invitations/read', {}],
      ['/invitations/accept', { name: 'Ann Example', password: 'four quiet herons at dusk' }],
    ] as const) {
      const { status, body } = await ask('POST', path, { token, ...more });
      texts.add(JSON.stringify([status, body.result]));
    }
  }
  assert.equal(texts.size, 1);
});
