import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bodyBytesMax, publicBodyBytesMax, unknownBodyBytesMax } from '../../src/form/limits.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { createSample } from '../sample.ts';
import { type Attack, openAttack, type Sending, tryShapes, trySieges } from './attack.ts';
import { type Framing, framings } from './framing.ts';
import { type PlantedName, planted } from './planted.ts';
import { type Shape, shapes, someShapes } from './shapes.ts';
import { endpointNames, type Sender, sendersOf } from './targets.ts';

/**
 * Bodies of adversarial shape at every endpoint, of known and unknown length (R36): none costs the gateway much more than plain bodies of
 * its length, none makes a neighbour wait longer, and all are answered. See decisions/0089.
 */

/** Read before the sender is known, and long enough to be read in slices. */
const SHORT = sized({ quick: 34_000, assure: unknownBodyBytesMax - 2_048, reliability: unknownBodyBytesMax - 2_048 });
/** A chunk of one byte counts as a piece, and so many pieces are read. */
const CRUMBS = sized({ quick: 300, assure: 1_000, reliability: 1_000 });

const few = someShapes;
const isDaily = sized({ quick: true, assure: false, reliability: false });
/** A form of a merchant, and JSON of an operator. */
const dailyReaders: readonly EndpointName[] = ['pay', 'createWebhook'];
const others: readonly EndpointName[] = ['payCheckout', 'shopperReturnForm', 'receiveNotification'];
const readers: readonly EndpointName[] = isDaily ? dailyReaders : [...dailyReaders, ...others];

let attack: Attack;
before(async () => {
  attack = await openAttack();
});
after(() => attack.close());

type Senders = (name: EndpointName) => readonly Sender[];

async function tryAt(
  names: readonly EndpointName[],
  tried: readonly Shape[],
  { senders = sendersOf, ...sending }: Sending & { readonly senders?: Senders },
): Promise<void> {
  const faults: string[] = [];
  let requests = 0;
  for (const name of names)
    for (const sender of senders(name)) {
      const found = await tryShapes(attack, await attack.target(name, sender), tried, sending);
      faults.push(...found.faults);
      requests += found.requests;
    }
  assert.deepEqual(faults, []);
  reportFigure('R36', 'bodies of adversarial shape', requests);
}

for (const name of readers)
  test(`${name}: no shape of a body costs more than its bytes explain`, () =>
    tryAt([name], shapes, { bytes: SHORT, framing: 'known' }));

const lengths = Object.keys(framings) as readonly Framing[];
for (const [at, framing] of lengths.entries())
  test(`every endpoint, length ${framing}: no shape of a body costs more than its bytes explain`, () => {
    // Each endpoint hears one of the framings every day, from a sender that it knows; a whole `npm test` takes half of the endpoints.
    const daily = endpointNames.filter((_, place) => place % lengths.length === at);
    const isSampled = createSample(2);
    const names = isDaily ? daily.filter(() => isSampled()) : endpointNames;
    const senders: Senders = isDaily ? (name) => sendersOf(name).slice(0, 1) : sendersOf;
    return tryAt(names, isDaily ? few : shapes, { bytes: framing === 'crumbs' ? CRUMBS : SHORT, framing, senders });
  });

const longBodies: readonly (readonly [name: EndpointName, bytes: number])[] = [
  ['pay', isDaily ? 1_000_000 : bodyBytesMax - 2_048],
  ['payCheckout', publicBodyBytesMax - 2_048],
  ['shopperReturnForm', publicBodyBytesMax - 2_048],
];
for (const [name, bytes] of longBodies)
  test(`${name}, a long body: no shape of a body costs more than its bytes explain`, async () => {
    for (const framing of ['known', 'chunk'] as const) await tryAt([name], few, { bytes, framing });
  });

const SIEGE = { times: sized({ quick: 8, assure: 32, reliability: 32 }), framing: 'known', bytes: SHORT } as const;

test(`beside ${SIEGE.times} bodies of any shape a neighbour waits no longer than beside plain ones`, async (t) => {
  const faults: string[] = [];
  for (const name of readers)
    for (const sender of isDaily ? (['unknown'] as const) : sendersOf(name)) {
      const found = await trySieges(attack, await attack.target(name, sender), isDaily ? few : shapes, SIEGE);
      t.diagnostic(`${name}, ${sender} sender: at most ${found.longest.toFixed(1)} ms of ${found.bound.toFixed(1)}`);
      faults.push(...found.faults);
    }
  assert.deepEqual(faults, []);
});

/** Who shows the fault, with which shape, and whether a neighbour feels a few of them. */
const shownBy: Readonly<
  Record<PlantedName, { readonly sender: Sender; readonly title: string; readonly bytes: number; readonly isFelt: boolean }>
> = {
  'bodies are cut behind blank lines': { sender: 'unknown', title: 'lines "\\r\\n\\r\\n"', bytes: 40_000, isFelt: false },
  'names are looked for one by one': { sender: 'known', title: 'every short name', bytes: 14_000, isFelt: true },
};
for (const name of Object.keys(planted) as readonly PlantedName[])
  test(`control: ${name}, and that is found`, async (t) => {
    const faulty = await openAttack(name);
    try {
      const { sender, title, bytes, isFelt } = shownBy[name];
      const shown = shapes.filter((shape) => shape.title === title);
      const target = await faulty.target('pay', sender);
      const { faults } = await tryShapes(faulty, target, shown, { bytes, framing: 'known' });
      assert.equal(faults.length, 1);
      const sieges = await trySieges(faulty, target, shown, { bytes, framing: 'known', times: 8 });
      if (isFelt) assert.equal(sieges.faults.length, 1);
      t.diagnostic([...faults, ...sieges.faults].join('; '));
    } finally {
      await faulty.close();
    }
  });
