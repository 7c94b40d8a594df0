import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createUserModule } from '../../src/app/modules/userModule.ts';
import {
  createHashQueue,
  HashQueueFull,
  hashPassword,
  isCommon,
  isPassword,
  newPasswordFault,
  PASSWORD_COST,
  passwordHistory,
} from '../../src/users/passwordRules.ts';
import type { UserNeeds } from '../../src/users/ports.ts';
import { systemRandom } from '../../src/vault/randomBytes.ts';

const vault = { digest: (purpose: string, text: string) => `${purpose}:${text}` };
const needs = { vault, random: systemRandom, hashQueue: createHashQueue(), passwordCost: PASSWORD_COST } as unknown as UserNeeds;
/** The same at a tenth of the cost, for what does not depend on it. */
const quick: UserNeeds = { ...needs, passwordCost: { memory: 4_096, passes: 1, parallelism: 1 } };
const about = { email: 'ann.keller@riverbank.example', name: 'Ann Example' };

const lost = [
  'correct horse battery staple',
  'Correct-Horse-Battery-Staple1!',
  'CorrectHorseBatteryStaple2024',
  'passwordpassword',
  'P4$$w0rdP4$$w0rd',
  'Password1234567890',
  'thisismypassword',
  'ThisIsMyPassw0rd!!',
  'qwertyuiopasdfghjkl',
  'qwertyuiop[]asdfgh',
  '1qaz2wsx3edc4rfv5tgb',
  'abcdefghijklmnopq',
  '123456789012345',
  '987654321987654321',
  'aaaaaaaaaaaaaaaaaa',
  'abcabcabcabcabcabc',
  'dragon dragon dragon',
  'summer2024summer2024',
  'iloveyouiloveyou!!',
  'Turnpike2026Turnpike',
  'turnpikebackoffice',
  'annkellerriverbank1',
  'Riverbank-Payment-Gateway',
  'ann.keller@riverbank.example',
  'donaudampfschifffahrtsgesellschaft',
  'Passwort123456789',
  '1111111111222222222',
  'franz jagt im komplett verwahrlosten taxi',
];
for (const password of lost) {
  test(`${password} is guessed first`, () => assert.equal(isCommon(password, about), true));
}

const good = [
  'four quiet herons at dusk',
  'xK9#mP2$vL7@nQ4!wR8%',
  'zucchini-lamp-97-orbit',
  'drei grüne Pinguine tanzen',
  'das Rad im Keller quietscht',
  'a7f3e9c1b5d2084f6e',
  'мой тихий сад за рекой',
  'nine slow barges upriver',
  '猫が窓辺で雨を見ている静かな午後',
];
for (const password of good) {
  test(`${password} is taken`, () => assert.equal(isCommon(password, about), false));
}

test('fifteen characters, counted as users count them', async () => {
  const fault = (password: string) => newPasswordFault(needs, password, { ...about, passwords: [] });
  assert.match((await fault('zucchini-lamp9')) ?? '', /at least 15/);
  assert.equal(await fault('zucchini-lamp97'), null);
  assert.match((await fault('🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦🐤')) ?? '', /at least 15/, '14 pictures are 28 units');
});

test('none of the last four, and the fifth before it again', async () => {
  const words = ['herons', 'barges', 'lanterns', 'thistles', 'ferries', 'orchards'].map((word) => `four quiet ${word} at dusk`);
  let kept: readonly string[] = [];
  for (const password of words.slice(0, 5)) {
    assert.equal(await newPasswordFault(quick, password, { ...about, passwords: kept }), null);
    kept = passwordHistory(await hashPassword(quick, password), kept);
  }
  assert.equal(kept.length, 4);
  const faults = await Promise.all(
    words.slice(0, 5).map((password) => newPasswordFault(quick, password, { ...about, passwords: kept })),
  );
  assert.deepEqual(
    faults.map((fault) => fault !== null),
    [false, true, true, true, true],
  );
});

test("a hash is argon2id with OWASP's cost, of its own salt, and fits its password alone", async () => {
  const [one, other] = await Promise.all([hashPassword(needs, 'ﬁne'), hashPassword(needs, 'ﬁne')]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w-]{22}\$[\w-]{43}$/);
  assert.notEqual(one, other);
  assert.equal(await isPassword(needs, 'fine', one), true, 'the same letters in another writing');
  assert.equal(await isPassword(needs, 'Fine', one), false);
  assert.equal(await isPassword(needs, 'fine', undefined), false);
  const elsewhere = {
    ...needs,
    vault: { digest: (purpose: string, text: string) => `${purpose}!${text}` },
  } as unknown as UserNeeds;
  assert.equal(await isPassword(elsewhere, 'fine', one), false, 'without the key of the vault it is nothing');
});

test('the program hashes with that cost: only a test passes another', () => {
  const [options, foundation] = [{ clock: { now: () => 0 } }, {}] as unknown as Parameters<typeof createUserModule>;
  assert.deepEqual(createUserModule(options, foundation).needs.passwordCost, PASSWORD_COST);
  assert.deepEqual(PASSWORD_COST, { memory: 19_456, passes: 2, parallelism: 1 });
  const root = join(import.meta.dirname, '../..');
  const naming = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('passwordCost'),
  );
  assert.deepEqual(naming.sort(), [
    'src/app/modules/userModule.ts',
    'src/app/options.ts',
    'src/cli/commands/users.ts',
    'src/users/passwordRules.ts',
    'src/users/ports.ts',
  ]);
  assert.match(readFileSync(join(root, 'src/cli/commands/users.ts'), 'utf8'), /passwordCost: PASSWORD_COST/);
});

test('a flood waits in a bounded queue, and other work goes on', async () => {
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 2);
  const flood = Array.from({ length: 80 }, () =>
    hashPassword(quick, 'x').then(
      () => 'hashed',
      (error) => error,
    ),
  );
  const ended = await Promise.all(flood);
  clearInterval(ticking);
  assert.equal(ended.filter((one) => one === 'hashed').length, 66);
  assert.ok(ended.filter((one) => one !== 'hashed').every((one) => one instanceof HashQueueFull));
  assert.ok(ticks > 20, `only ${ticks} ticks: hashing blocks other work`);
});
