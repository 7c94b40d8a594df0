import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { createIds } from '../../src/app/system.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { enrolTotp, finishTotp } from '../../src/users/account.ts';
import type { DocumentStore } from '../../src/users/documents.ts';
import {
  clearFailures,
  countAttempt,
  FAILURES_MAX,
  LOCK_MS,
  lockedUntil,
  uncountAttempt,
} from '../../src/users/failedAttempts.ts';
import { finishInvitation, invitedUser, newInvitation } from '../../src/users/invitations.ts';
import type { UserNeeds } from '../../src/users/ports.ts';
import { bytesOfBase32, codeAt, newSecret, proveSecret, stepAt } from '../../src/users/secondFactor.ts';
import { newSession } from '../../src/users/sessions.ts';
import { signInSecond, stepUpBy } from '../../src/users/signIn.ts';
import { attemptTicket, issueTicket, TICKET_TRIES_MAX } from '../../src/users/tickets.ts';
import { newUserDocuments, type User } from '../../src/users/user.ts';
import { systemRandom } from '../../src/vault/randomBytes.ts';
import { reportFigure } from '../figures.ts';
import { type Chance, createChance } from '../simulation/chance.ts';
import { onEveryStore } from './everyStore.ts';
import { NOW, type Opened } from './storeFixtures.ts';

/** Of concurrent guesses five are compared, with any store, order and number of nodes. */

const GUESSES = 100;
/** Where the right guess stands. A database is slower, and orders the guesses as it likes. */
const PLACES = [0, 3, 4, 5, 12, 30, 60, GUESSES - 1];
const DATABASE_PLACES = [4, 12, GUESSES - 1];

/** Which guess is at work: what it compares is noted under it. */
const guessing = new AsyncLocalStorage<number>();

function world(store: DocumentStore) {
  const clock = { at: NOW, now: () => clock.at };
  const compared: number[] = [];
  const vault = {
    digest: (purpose: string, text: string) => createHash('sha256').update(`${purpose}\n${text}`).digest('hex'),
    ready: () => null,
    seal: (_: unknown, text: string) => Buffer.from(text),
    open: async (_: unknown, sealed: Uint8Array) => {
      const guess = guessing.getStore();
      if (guess !== undefined && !compared.includes(guess)) compared.push(guess);
      return Buffer.from(sealed).toString();
    },
  };
  const ids = createIds(clock.now);
  const random = systemRandom;
  const needs = { store, clock, ids, vault, random } as unknown as UserNeeds;
  return { needs, clock, compared };
}

type World = ReturnType<typeof world>;

/** Whether a guess may be compared, and the change of the count. */
type Guess = (needs: UserNeeds, email: string, compare: () => Promise<boolean>) => Promise<boolean>;

const counted: Guess = async (needs, email, compare) => {
  const one = await countAttempt(needs, email);
  return one !== null && (await compare());
};

/** As it was: looked at first, counted after. */
const checkThenAct: Guess = async (needs, email, compare) => {
  if ((await lockedUntil(needs, email)) > 0) return false;
  const isRight = await compare();
  if (!isRight) await countAttempt(needs, email);
  return isRight;
};

/** Fires guesses at once over all nodes; answers which were compared, in that order, and whether the right one got in. */
async function race(guess: Guess, nodes: readonly UserNeeds[], email: string, rightAt: number) {
  const compared: number[] = [];
  const came = await Promise.all(
    Array.from({ length: GUESSES }, (_, at) =>
      guess(nodes[at % nodes.length] as UserNeeds, email, async () => {
        compared.push(at);
        await Promise.resolve();
        return at === rightAt;
      }),
    ),
  );
  return { compared, isIn: came.includes(true) };
}

function holds({ compared, isIn }: Awaited<ReturnType<typeof race>>, rightAt: number): void {
  assert.ok(compared.length <= FAILURES_MAX, `${compared.length} guesses were compared`);
  assert.equal(isIn, compared.includes(rightAt));
  assert.ok(compared.indexOf(rightAt) < FAILURES_MAX);
}

let people = 0;
const createUserWithPassword = (): string => {
  people += 1;
  return `tries${people}@shop.example`;
};

async function person({ needs }: World) {
  const { secret, sealed } = await newSecret(needs);
  const app = bytesOfBase32(secret);
  const totp = await proveSecret(needs, sealed, codeAt(app, stepAt(NOW)));
  const user: User = {
    ...invitedUser(needs, { email: createUserWithPassword(), name: 'Ann', grants: [] }),
    state: 'active',
    totp: totp && { ...totp, lastStep: 0 },
  };
  await needs.store.saveDocuments(newUserDocuments(user));
  const near = [-1, 0, 1].map((step) => codeAt(app, stepAt(NOW) + step));
  const wrong = Array.from({ length: GUESSES + 3 }, (_, at) => String(at).padStart(6, '0')).filter(
    (code) => !near.includes(code),
  );
  return { user, right: near[1] as string, wrong };
}

/** Follows a link to the end, with a password and the first code of a new app. */
async function follow(needs: UserNeeds, token: string) {
  const { secret, sealed } = await newSecret(needs);
  const linkId = needs.vault.digest('invitation', token);
  const ticket = await issueTicket(needs, { for: 'invitation', linkId, sealed, chosen: { email: null, name: 'Ann', hash: 'x' } });
  return finishInvitation(needs, { ticket, code: codeAt(bytesOfBase32(secret), stepAt(NOW)) }, from);
}

const from = { from: '127.0.0.1', agent: 'test' };

onEveryStore(({ name, opened, isDatabase }) => {
  /** Two nodes where there is a database below them. */
  const nodes = async (held: Opened): Promise<{ readonly worlds: readonly World[]; readonly end: () => Promise<void> }> => {
    const other = await held.database?.again();
    return { worlds: [world(held.store), ...(other ? [world(other)] : [])], end: async () => other?.close() };
  };
  const eachPlace = async (work: (worlds: readonly World[], rightAt: number) => Promise<void>) => {
    const { worlds, end } = await nodes(opened());
    try {
      for (const rightAt of isDatabase ? DATABASE_PLACES : PLACES) await work(worlds, rightAt);
    } finally {
      await end();
    }
  };

  test(`${name}: of ${GUESSES} concurrent guesses five are compared, wherever the right one is`, () =>
    eachPlace(async (worlds, rightAt) => {
      const needs = worlds.map((one) => one.needs);
      holds(await race(counted, needs, createUserWithPassword(), rightAt), rightAt);
      reportFigure('R30', 'concurrent guesses', GUESSES);
    }));

  test(`${name}: control: a lock that is checked before the attempt is counted lets more through`, () =>
    eachPlace(async (worlds, rightAt) => {
      const came = await race(
        checkThenAct,
        worlds.map((one) => one.needs),
        createUserWithPassword(),
        rightAt,
      );
      assert.throws(() => holds(came, rightAt), /guesses were compared/);
    }));

  test(`${name}: concurrent codes: one ticket allows five comparisons, and the right code signs in among them or never`, () =>
    eachPlace(async (worlds, rightAt) => {
      const [first] = worlds as [World];
      const { user, right, wrong } = await person(first);
      const ticket = await issueTicket(first.needs, { for: 'signIn', userId: user.id, challenge: null });
      const came = await Promise.all(
        Array.from({ length: GUESSES }, (_, at) => {
          const { needs } = worlds[at % worlds.length] as World;
          const code = at === rightAt ? right : (wrong[at] as string);
          return guessing.run(at, () => signInSecond(needs, { ticket, code }, { party: null, from }));
        }),
      );
      const compared = worlds.flatMap((one) => one.compared.splice(0));
      assert.ok(compared.length <= TICKET_TRIES_MAX, `${compared.length} codes were compared`);
      const inside = came.flatMap((one, at) => (one.ok ? [at] : []));
      assert.deepEqual(inside, compared.includes(rightAt) ? [rightAt] : []);
    }));

  test(`${name}: concurrent codes, each with its own ticket: the address allows five`, () =>
    eachPlace(async (worlds, rightAt) => {
      const [first] = worlds as [World];
      const { user, right, wrong } = await person(first);
      const tickets = await Promise.all(
        Array.from({ length: GUESSES }, () => issueTicket(first.needs, { for: 'signIn', userId: user.id, challenge: null })),
      );
      const came = await Promise.all(
        tickets.map((ticket, at) => {
          const { needs } = worlds[at % worlds.length] as World;
          const code = at === rightAt ? right : (wrong[at] as string);
          return guessing.run(at, () => signInSecond(needs, { ticket, code }, { party: null, from }));
        }),
      );
      const compared = worlds.flatMap((one) => one.compared.splice(0));
      const inside = came.flatMap((one, at) => (one.ok ? [at] : []));
      assert.deepEqual(inside, compared.includes(rightAt) ? [rightAt] : []);
      // A sign-in clears the count: another series begins.
      assert.ok(
        compared.length <= (inside.length > 0 ? 2 * FAILURES_MAX : FAILURES_MAX),
        `${compared.length} codes were compared`,
      );
    }));

  test(`${name}: a step-up counts before it compares, and one code is valid once however often it is sent`, async () => {
    const { worlds, end } = await nodes(opened());
    const [first] = worlds as [World];
    const { user, right, wrong } = await person(first);
    const { token, document } = newSession(first.needs, user.id, from);
    await first.needs.store.saveDocuments([document]);
    const send = (code: string, at: number) =>
      guessing.run(at, () =>
        stepUpBy((worlds[at % worlds.length] as World).needs, { userId: user.id, token }, { code, party: null }),
      );
    const same = await Promise.all([1, 2, 3, 4].map((at) => send(right, at)));
    assert.equal(same.filter(({ ok }) => ok).length, 1, 'one code, four times at once');
    await clearFailures(first.needs, user.email);
    for (const one of worlds) one.compared.splice(0);
    await Promise.all(wrong.slice(0, 50).map(send));
    assert.ok(worlds.flatMap((one) => one.compared).length <= FAILURES_MAX);
    await end();
  });

  test(`${name}: a new app has five codes; of two links followed at once one is valid`, async () => {
    const { worlds, end } = await nodes(opened());
    const [{ needs }] = worlds as [World];
    const { user, wrong } = await person(worlds[0] as World);
    const { ticket, secret } = await enrolTotp(needs, user);
    const codes = wrong.slice(0, 20);
    const came = await Promise.all(codes.map((code) => finishTotp(needs, user.id, { ticket, code })));
    assert.equal(came.filter((one) => one === 'wrong').length, TICKET_TRIES_MAX);
    const code = codeAt(bytesOfBase32(secret), stepAt(NOW));
    assert.equal(await finishTotp(needs, user.id, { ticket, code }), 'over', 'the ticket is dead');
    // Two administrators reset the same user at once: both links are there, and the first that is followed ends the other.
    const links = await Promise.all([newInvitation(needs, user.id), newInvitation(needs, user.id)]);
    for (const { changes } of links) assert.ok(await needs.store.saveDocuments(changes));
    const followed = await Promise.all(links.map(({ token }) => follow(needs, token)));
    assert.deepEqual(followed.map(({ ok }) => ok).sort(), [false, true]);
    for (const { token } of links) assert.equal((await follow(needs, token)).ok, false);
    await end();
  });

  test(`${name}: a success clears the count, a right password uncounts its own attempt, a lock ends`, async () => {
    const { needs, clock } = world(opened().store);
    const email = createUserWithPassword();
    const fail = async (times: number) => {
      for (let count = 0; count < times; count += 1) assert.ok(await countAttempt(needs, email));
    };
    await fail(4);
    const fifth = await countAttempt(needs, email);
    assert.equal(fifth?.isLast, true);
    assert.equal(await countAttempt(needs, email), null, 'locked while the fifth is compared');
    await uncountAttempt(needs, fifth ?? assert.fail());
    assert.equal(await lockedUntil(needs, email), 0);
    await fail(1);
    assert.equal(await countAttempt(needs, email), null, 'the four before it still count');
    clock.at += LOCK_MS;
    const late = await countAttempt(needs, email);
    await uncountAttempt(needs, fifth ?? assert.fail());
    assert.ok(late);
    await fail(4);
    assert.equal(await countAttempt(needs, email), null, 'a try of an earlier series is not given back to a later one');
    await clearFailures(needs, email);
    await fail(5);
  });

  test(`${name}: a store on which every save loses a race gives no free guess`, async () => {
    const { needs } = world(opened().store);
    const stubborn = {
      ...needs,
      store: { ...needs.store, document: needs.store.document, saveDocuments: async () => false },
    } as UserNeeds;
    assert.equal(await countAttempt(stubborn, createUserWithPassword()), null);
    const ticket = await issueTicket(needs, { for: 'passkeySignIn', challenge: 'x' });
    assert.equal(await attemptTicket(stubborn, ticket, 'passkeySignIn'), null);
  });
});

/** A store that answers after a number of turns of the loop that only the seed knows. */
function dawdling(store: DocumentStore, chance: Chance): DocumentStore {
  const dawdle = async () => {
    for (let turns = chance.below(6); turns > 0; turns -= 1) await Promise.resolve();
  };
  return {
    ...store,
    document: async (collection, id) => {
      await dawdle();
      const document = await store.document(collection, id);
      await dawdle();
      return document;
    },
    saveDocuments: async (changes) => {
      await dawdle();
      const isFiled = await store.saveDocuments(changes);
      await dawdle();
      return isFiled;
    },
  };
}

describe('in any order', () => {
  const run = async (guess: Guess, seed: number) => {
    const chance = createChance(seed);
    const store = createMemoryStore();
    const nodes = [1, 2, 3].map(() => world(dawdling(store, chance)).needs);
    const rightAt = chance.below(GUESSES);
    return { came: await race(guess, nodes, createUserWithPassword(), rightAt), rightAt };
  };
  const fails = async (guess: Guess): Promise<number> => {
    let found = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const { came, rightAt } = await run(guess, seed);
      try {
        holds(came, rightAt);
      } catch {
        found += 1;
      }
    }
    return found;
  };
  test('200 orders of reads and writes over three nodes: never more than five', async () =>
    assert.equal(await fails(counted), 0));
  test('control: the same orders find the lock that is checked first', async () => assert.ok((await fails(checkThenAct)) > 150));
});
