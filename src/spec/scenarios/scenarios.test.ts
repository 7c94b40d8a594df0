import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyScenario, anySeed } from '../../../test/scenarios/anyScenario.ts';
import { isFinal, isResultCode } from '../resultCodes.ts';
import { type Acts, durationText, endsOf, msOf, type Scenario } from './language.ts';
import { logOf } from './log.ts';
import { chargebackActs, settlementActs } from './money.ts';
import { answerTo, chanceOf, directivesFor, draw, PLAYED, play, playedIn, playedText, receiverSays } from './played.ts';
import { readyScenario, readyScenarios } from './ready.ts';
import { readScenarioReference } from './scenarioReference.ts';
import { actsIn, parseScenario, SCENARIO_LENGTH_MAX, scenarioShape } from './shape.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const withActs = (acts: Acts): Scenario => ({ name: 'mine', says: 'A story.', ...acts });
const faultsOf = (value: unknown): readonly string[] => {
  const found = parseScenario(value);
  return found.is === 'faulty' ? found.faults.map(({ at }) => at) : [];
};

test('there are forty ready ones, each with a name of its own, a story, and an end that a payment can have', () => {
  assert.equal(readyScenarios.length, 41);
  assert.equal(new Set(readyScenarios.map(({ name }) => name)).size, 41);
  for (const { name, ends } of readyScenarios) {
    const scenario = readyScenario(name);
    assert.deepEqual(faultsOf(JSON.parse(JSON.stringify(scenario))), [], name);
    assert.ok(
      (ends ?? []).every((code) => isResultCode(code) && isFinal(code)),
      name,
    );
    assert.equal(ends === null, scenario?.oneOf !== undefined, `${name}: the seed decides only where there is a choice`);
  }
});

test('lengths of time: read, written, and the longest there is', () => {
  const known: readonly (readonly [string, number | null])[] = [
    ...([
      ['40d', 40 * DAY],
      ['12h', 12 * HOUR],
      ['90s', 90_000],
      ['250ms', 250],
      ['0s', 0],
    ] as const),
    ...([
      ['366d', 366 * DAY],
      ['367d', null],
      ['1', null],
      ['-1d', null],
      ['1.5h', null],
      ['01d', null],
      ['1w', null],
      ['', null],
    ] as const),
  ];
  for (const [text, ms] of known) assert.equal(msOf(text), ms, text);
  assert.deepEqual(
    [endsOf('1m..5m'), endsOf('5m'), endsOf('5m..1m'), endsOf('1m..')],
    [[60_000, 300_000], [300_000, 300_000], null, null],
  );
  fc.assert(fc.property(fc.integer({ min: 0, max: 30 * DAY }), (ms) => ms % 1_000 !== 0 || msOf(durationText(ms)) === ms));
});

test('chance follows from the seed and the place, is spread evenly, and stands apart from its neighbours', () => {
  const drawn = Array.from({ length: 10_000 }, (_, seed) => chanceOf(seed, 'oneOf'));
  const tenths = Map.groupBy(drawn, (chance) => Math.floor(chance * 10));
  for (const [, all] of tenths) assert.ok(all.length > 850 && all.length < 1_150, String(all.length));
  assert.equal(tenths.size, 10);
  const alike = drawn.filter((chance, seed) => chance < 0.5 === (drawn[seed + 1] ?? 0) < 0.5).length;
  assert.ok(alike > 4_700 && alike < 5_300, String(alike));
  assert.notEqual(chanceOf(1, 'a'), chanceOf(1, 'b'));
});

test('weights are what they say, and an option replaces what it speaks of', () => {
  const scenario: Scenario = {
    ...withActs({ acquirer: [{ says: 'approved' }], chargebacks: [{ after: '1d', code: '000.100.220' }] }),
    oneOf: [{ weight: 9 }, { weight: 1, acquirer: [{ says: 'declined' }] }],
  };
  const declined = Array.from({ length: 2_000 }, (_, seed) => draw(scenario, seed)).filter(
    ({ acquirer }) => acquirer?.[0]?.says === 'declined',
  );
  assert.ok(declined.length > 150 && declined.length < 250, String(declined.length));
  assert.ok(declined.every(({ chargebacks }) => chargebacks?.length === 1));
});

test('whatever scenario and seed: nothing is left to chance, the log has the same bytes, and a payment can carry it', () => {
  fc.assert(
    fc.property(anyScenario, anySeed, fc.integer({ min: 1, max: 9 }), (scenario, seed, attempt) => {
      assert.deepEqual(faultsOf(scenario), []);
      const acts = draw(scenario, seed);
      assert.doesNotMatch(JSON.stringify(acts), /\.\.|oneOf|weight/);
      assert.deepEqual(actsIn(acts), acts);
      assert.equal(logOf(draw(structuredClone(scenario), seed)), logOf(acts));
      const played = play(scenario, { seed, attempt });
      const kept = { [PLAYED]: playedText(played) };
      assert.deepEqual(playedIn(kept), played);
      assert.ok(playedText(played).length <= 2_048, 'it fits its parameter');
      assert.deepEqual(directivesFor(playedIn(kept) ?? played), directivesFor(played));
      for (const line of logOf(acts).split('\n').filter(Boolean)) {
        const { since, at } = JSON.parse(line);
        assert.ok(typeof since === 'string' && Number.isSafeInteger(at) && at >= 0, line);
      }
    }),
    { numRuns: 300 },
  );
});

test('other seeds give other logs where chance is used', () => {
  const ranged = withActs({ acquirer: [{ says: 'pending', for: '1s..10h' }] });
  const logs = new Set(Array.from({ length: 200 }, (_, seed) => logOf(draw(ranged, seed))));
  assert.ok(logs.size > 190, String(logs.size));
  assert.equal(
    new Set(Array.from({ length: 50 }, (_, seed) => logOf(draw(withActs({ acquirer: [{ says: 'approved' }] }), seed)))).size,
    1,
  );
});

test('attempts have their answers in order, and the last one holds', () => {
  const scenario = readyScenario('declined-twice-then-paid');
  assert.ok(scenario);
  const said = [1, 2, 3, 4, 9].map((attempt) => answerTo(play(scenario, { seed: null, attempt }))?.says);
  assert.deepEqual(said, ['declined', 'declined', 'approved', 'approved', 'approved']);
});

test('the money: whole, in parts, doubled, wrong, late, less the fee, or never', () => {
  const of = (settlement: NonNullable<Acts['settlement']>) =>
    settlementActs({ settlement }, { amount: 9_999n }).map(({ at, gross, fee, net }) => [at / DAY, gross, fee, net]);
  assert.deepEqual(settlementActs({}, { amount: 5n }), [{ at: 2 * DAY, gross: 5n, fee: 0n, net: 5n }]);
  assert.deepEqual(of({ pays: 'nothing' }), []);
  assert.deepEqual(of({ pays: 'twice', after: '1d' }), [
    [1, 9_999n, 0n, 9_999n],
    [1, 9_999n, 0n, 9_999n],
  ]);
  assert.deepEqual(of({ pays: 'part', share: 33 }), [[2, 3_300n, 0n, 3_300n]]);
  assert.deepEqual(of({ pays: 'part', share: 33, rest: '3d', feePercent: '1.4', feeFixed: '0.25' }), [
    [2, 3_300n, 71n, 3_229n],
    [5, 6_699n, 94n, 6_605n],
  ]);
  assert.deepEqual(of({ off: '-0.10', after: '9d' }), [[9, 9_989n, 0n, 9_989n]]);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.integer({ min: 1, max: 100 }), (amount, share) => {
      const [part, rest] = settlementActs({ settlement: { pays: 'part', share, rest: '1d' } }, { amount });
      return (part?.gross ?? 0n) + (rest?.gross ?? 0n) === amount;
    }),
  );
});

test('of a currency without decimals fees, parts and chargebacks are whole', () => {
  const yen = { amount: 101_000n, currency: 'JPY' };
  const settlement = { pays: 'part', share: 33, rest: '1d', feePercent: '1.4', feeFixed: '0.50' } as const;
  const paid = settlementActs({ settlement }, yen).map(({ gross, fee, net }) => [gross, fee, net]);
  assert.deepEqual(paid, [
    [33_300n, 600n, 32_700n],
    [67_700n, 900n, 66_800n],
  ]);
  const [taken] = chargebackActs({ chargebacks: [{ after: '1d', code: '000.100.220', share: 33 }] }, yen);
  assert.equal(taken?.amount, 33_300n);
  const [dinars] = settlementActs({ settlement: { feePercent: '1.4' } }, { ...yen, currency: 'KWD' });
  assert.equal(dinars?.fee, 1_414n);
});

test('what the payer takes back, and what is given back of it, in the order of time', () => {
  const chargebacks = [
    { after: '40d', code: '000.100.221', share: 50 },
    { after: '12d', code: '000.100.220', reversed: '30d' },
  ] as const;
  assert.deepEqual(
    chargebackActs({ chargebacks }, { amount: 9_999n }).map(({ at, does, amount, code }) => [at / DAY, does, amount, code]),
    [
      [12, 'chargeback', 9_999n, '000.100.220'],
      [40, 'chargeback', 5_000n, '000.100.221'],
      [42, 'reversal', 9_999n, '000.100.220'],
    ],
  );
  assert.deepEqual(chargebackActs({}, { amount: 1n }), []);
});

test('a webhook says one thing after the other, then it is called', () => {
  const receiver = [
    { answers: 'nothing', for: '1h' },
    { answers: 'late', for: '1h' },
    { answers: '429', for: '1h', retryAfter: '90s' },
  ] as const;
  const said = [0, HOUR - 1, HOUR, 2 * HOUR, 3 * HOUR].map((since) => receiverSays({ receiver }, since));
  assert.deepEqual(said, [
    { status: null, retryAfter: null, isLate: false },
    { status: null, retryAfter: null, isLate: false },
    { status: null, retryAfter: null, isLate: true },
    { status: 429, retryAfter: '90', isLate: false },
    null,
  ]);
});

test('how a scenario is asked for', () => {
  assert.deepEqual(readScenarioReference('paid#7@2'), { is: 'reference', name: 'paid', inline: null, seed: 7, attempt: 2 });
  assert.deepEqual(readScenarioReference('paid@2'), { is: 'reference', name: 'paid', inline: null, seed: null, attempt: 2 });
  const sent = readScenarioReference('{"seed":4,"bank":{"shopper":"pays"}}');
  assert.ok(sent.is === 'reference' && sent.inline?.seed === 4 && sent.name === 'inline');
  for (const text of ['', 'x', 'paid#01', 'paid#1#2', 'paid@100', ' paid', 'paid ', '[]', '{"name":1}', '{'.repeat(5_000)]) {
    assert.equal(readScenarioReference(text).is, 'faulty', text.slice(0, 20));
  }
});

test('any JSON value is either a scenario or has faults, and nothing throws', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.ok(faultsOf(value).length > 0);
      assert.equal(readScenarioReference(JSON.stringify({ name: 'inline', x: value })).is, 'faulty');
      playedIn({ [PLAYED]: JSON.stringify(value) });
    }),
  );
  assert.deepEqual(faultsOf({ name: 'mine', says: 'x'.repeat(SCENARIO_LENGTH_MAX) }), ['']);
  assert.equal(playedIn({ [PLAYED]: '{"scenario":"paid","seed":1,"attempt":1,"acts":{"receiver":[{"answers":"200"}]}}' }), null);
});

test('every member of the language is described, and the schema refuses what it does not know', () => {
  for (const { path, description, message } of scenarioShape.members)
    assert.ok(description.endsWith('.') && message.startsWith('must be'), path);
  assert.equal(scenarioShape.schema.additionalProperties, false);
  const paths = scenarioShape.members.map(({ path }) => path);
  for (const path of ['acquirer[].goes', 'later.RF.code', 'oneOf[].receiver[].for', 'settlement.rest'])
    assert.ok(paths.includes(path), path);
});
