import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { createIds, timers } from '../../src/app/system.ts';
import { createOutbound } from '../../src/outbound/client.ts';
import type { ThreeDSServer } from '../../src/payments/ports.ts';
import { type Authentication, next } from '../../src/threeds/authentication.ts';
import { createParameterReader } from '../../src/threeds/authenticationNeed.ts';
import { areqFor } from '../../src/threeds/buildAReq.ts';
import { answerResults, enrolmentOf, requestAuthentication } from '../../src/threeds/directory.ts';
import { exampleCard, exampleParts, exampleRequest, NOW, parametersFor, TRANS_ID } from '../../src/threeds/examples.ts';
import type { Connection } from '../../src/threeds/live/connection.ts';
import { createRangeFiles, type RangeStore } from '../../src/threeds/live/rangeLoader.ts';
import { createLiveThreeDS, type LiveThreeDS } from '../../src/threeds/live/server.ts';
import { kindByError } from '../../src/threeds/outcome.ts';
import { prepare } from '../../src/threeds/prepare.ts';
import { setupOf } from '../../src/threeds/settings.ts';
import { challengeForm } from '../../src/threeds/shopper.ts';
import { attendedTimers } from '../attended.ts';
import { createAuthority } from './authority.ts';
import { type Answering, acs, RANGES, send, startScheme } from './scheme.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FRICTIONLESS = '4200000000000026';
const CHALLENGE = '4200000000000018';

let now = NOW;
const clock = { now: () => now };
const scheme = await startScheme(clock);
const elsewhere = createAuthority('Another Root');
const folder = mkdtempSync(join(tmpdir(), 'turnpike-ranges-'));
after(async () => {
  await scheme.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  now = NOW;
  scheme.answering = null;
  scheme.asked.length = 0;
  scheme.prepared = () => ({ serialNum: '1', cardRangeData: RANGES });
});

const setup = setupOf(
  { setup: { requestorId: 'shop', acquirerBIN: '412345', acquirerMerchantID: 'M-1', mcc: '5411', merchantCountry: 'AT' } },
  { ...exampleParts(exampleRequest()).setup, requestorId: '', acquirerBIN: '', acquirerMerchantID: '', mcc: '' },
);

type Given = {
  readonly change?: Partial<Connection>;
  readonly keeper?: RangeStore;
  readonly alarms?: string[];
  readonly resultsOrigin?: string;
  readonly patienceMs?: number;
};

function live({ change, keeper, alarms = [], resultsOrigin, patienceMs = 2_000 }: Given = {}): LiveThreeDS {
  const impatient = { within: <T>(ms: number, promise: Promise<T>) => attendedTimers.within(Math.min(ms, patienceMs), promise) };
  const { poster } = createOutbound({ timers: impatient, reach: 'loopback' });
  const connections = { ...scheme.connections(change), ...(resultsOrigin !== undefined && { resultsOrigin }) };
  const alarm = (message: string, about: Readonly<Record<string, string>>) => alarms.push(`${message}: ${about.network}`);
  return createLiveThreeDS({ connections, poster, clock, ids: createIds(clock.now), rangeStore: keeper ?? null, alarm });
}

const directoryOf = (server: LiveThreeDS) => server.directory('https://pay.example');
const enquiry = { read: createParameterReader({}), network: 'visa' } as const;
const enrolmentIs = async (server: LiveThreeDS, number: string) =>
  (await enrolmentOf(directoryOf(server), { ...enquiry, number }, timers)).is;

/** Everything up to the answer of the directory server. */
async function upToAnswer(server: LiveThreeDS, number: string): Promise<Authentication> {
  const asked = exampleRequest();
  const parameters = parametersFor(asked);
  const enrolment = await enrolmentOf(directoryOf(server), { ...enquiry, number }, timers);
  const prepared = prepare(asked, { parameters, enrolment, threeDSServerTransID: TRANS_ID, decoupledMinutes: 60, now });
  assert.ok(prepared.is === 'begun', JSON.stringify(prepared));
  const { authentication } = prepared;
  const parts = exampleParts(asked, { parameters, card: exampleCard(number), setup, extensions: server.extensions() });
  const event = await requestAuthentication(directoryOf(server), { areq: areqFor(authentication, parts), network: 'visa' });
  return next(authentication, event, now);
}

const outcomeOf = ({ phase }: Authentication): string => (phase.at === 'done' ? phase.outcome.kind : phase.at);

test('who was never told a list cannot say who is enrolled', async () => {
  assert.equal(await enrolmentIs(live(), FRICTIONLESS), 'unreachable');
});

test('enrolled by its range, outside of it, and at a network that is not connected', async () => {
  const server = live();
  await server.refresh();
  assert.deepEqual(await directoryOf(server).versions({ ...enquiry, number: FRICTIONLESS }), {
    is: 'enrolled',
    range: { from: '2.1.0', to: '2.2.0', methodUrl: null },
  });
  assert.equal(await enrolmentIs(server, '4200000000010000'), 'outside');
  const atOther = await directoryOf(server).versions({ ...enquiry, network: 'jcb', number: FRICTIONLESS });
  assert.equal(atOther.is, 'outside');
  const { network: _, ...unnamed } = enquiry;
  assert.equal((await directoryOf(server).versions({ ...unnamed, number: FRICTIONLESS })).is, 'enrolled');
});

test('frictionless: asked with our certificate, under the names the scheme knows', async () => {
  const server = live({ resultsOrigin: 'https://results.example' });
  await server.refresh();
  const done = await upToAnswer(server, FRICTIONLESS);
  assert.ok(done.phase.at === 'done' && done.phase.outcome.kind === 'authenticated' && done.phase.outcome.authenticationValue);
  const { json, peer } = scheme.asked.at(-1) ?? assert.fail('nobody was asked');
  assert.equal(peer, scheme.client.fingerprint);
  assert.partialDeepStrictEqual(json, {
    messageType: 'AReq',
    threeDSServerRefNumber: '3DS_LOA_SER_EXAM_020200_00001',
    threeDSServerOperatorID: 'operator-1',
    threeDSServerURL: 'https://results.example/threeDSecure/results',
    threeDSRequestorID: 'shop',
    acquirerBIN: '412345',
  });
});

test('a challenge by the issuer behind the directory server, and its results', async () => {
  const server = live();
  await server.refresh();
  const challenged = await upToAnswer(server, CHALLENGE);
  assert.equal(challenged.phase.at, 'challenge');
  const form = challengeForm(challenged, 'session') ?? assert.fail('no challenge');
  const posted = Object.fromEntries(form.parameters.map(({ name, value }) => [name, value]));
  const page = acs.open(new URL(form.url).searchParams.get('ticket') ?? '', posted, now);
  const state = /name="state" value="([^"]*)"/.exec(page.page.html)?.[1];
  const code = /class="code">([0-9]{6})</.exec(page.page.html)?.[1];
  const [sent] = acs.act({ state, action: 'submit', code }, now).sends;
  const { authentication, reply } = answerResults(challenged, sent?.rreq, now);
  assert.deepEqual([reply.messageType, outcomeOf(authentication)], ['RRes', 'authenticated']);
});

const json = { 'content-type': 'application/json' };
const tooBig = JSON.stringify({ messageType: 'ARes', filling: 'x'.repeat(1024 * 1024) });
const erro = {
  messageType: 'Erro',
  messageVersion: '2.2.0',
  errorCode: '303',
  errorComponent: 'D',
  errorDescription: 'x',
  errorDetail: 'x',
};
const answers: readonly (readonly [says: string, answering: Answering, outcome: string])[] = [
  ['no message', (_, response) => send(response, { hello: 'you' }), 'invalid'],
  ['half a JSON', (_, response) => void response.writeHead(200, json).end('{"messageType":'), 'unreachable'],
  [
    'bytes that are no text',
    (_, response) => void response.writeHead(200, json).end(Buffer.from([0x22, 0xff, 0x22])),
    'unreachable',
  ],
  ['a page', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('{}'), 'unreachable'],
  ['too much', (_, response) => void response.writeHead(200, json).end(tooBig), 'unreachable'],
  [
    'too much without saying so',
    (_, response) => {
      response.writeHead(200, json);
      for (let at = 0; at < tooBig.length; at += 65_536) response.write(tooBig.slice(at, at + 65_536));
    },
    'unreachable',
  ],
  [
    'something packed',
    (_, response) => void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('x'),
    'unreachable',
  ],
  ['an error of the protocol', (_, response) => send(response, erro), 'denied'],
  ['an error of the protocol and status 400', (_, response) => send(response, erro, 400), 'denied'],
  ['a status without one', (_, response) => send(response, { transStatus: 'Y' }, 500), 'unreachable'],
  ['a cut connection', (_, response) => void response.destroy(), 'unreachable'],
];
for (const [says, answering, outcome] of answers) {
  test(`answered with ${says} → ${outcome}`, async () => {
    const server = live();
    await server.refresh();
    scheme.answering = answering;
    assert.equal(outcomeOf(await upToAnswer(server, FRICTIONLESS)), outcome);
  });
}

test('a redirect is not followed', async () => {
  const server = live();
  await server.refresh();
  scheme.asked.length = 0;
  scheme.answering = (_, response) => void response.writeHead(307, { location: `${scheme.url}/other`, ...json }).end('{}');
  assert.equal(outcomeOf(await upToAnswer(server, FRICTIONLESS)), 'unreachable');
  assert.deepEqual(
    scheme.asked.map(({ path }) => path),
    ['/ds'],
  );
});

const dribbles: readonly (readonly [says: string, answering: Answering])[] = [
  ['never answers', () => {}],
  [
    'answers byte by byte',
    (_, response) => {
      response.writeHead(200, json);
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
  ],
];
for (const [says, answering] of dribbles) {
  test(`a directory server that ${says} is given up in time`, async () => {
    const server = live({ patienceMs: 300 });
    await server.refresh();
    scheme.answering = answering;
    assert.equal(outcomeOf(await attendedTimers.within(2_000, upToAnswer(server, FRICTIONLESS))), 'unreachable');
  });
}

const strangers: readonly (readonly [says: string, change: Partial<Connection>])[] = [
  ['is signed by somebody else than we believe', { ca: [elsewhere.cert] }],
  ['is for another host', { url: scheme.url.replace('localhost', '127.0.0.1') }],
  ['is signed by nobody that everybody believes', { ca: null }],
];
for (const [says, change] of strangers) {
  test(`a directory server whose certificate ${says} is told nothing`, async () => {
    const server = live();
    await server.refresh();
    scheme.asked.length = 0;
    const authentication = await upToAnswer({ ...server, directory: () => mixed(server, live({ change })) }, FRICTIONLESS);
    assert.equal(outcomeOf(authentication), 'unreachable');
    assert.deepEqual(scheme.asked, []);
  });
}

/** The list of one, the questions of the other. */
const mixed = (listed: LiveThreeDS, asking: LiveThreeDS) => ({
  versions: directoryOf(listed).versions,
  authenticate: directoryOf(asking).authenticate,
});

test('without the right certificate of our own the directory server does not let us in', async () => {
  const stranger = elsewhere.issue({ name: 'pay.example' });
  const alarms: string[] = [];
  const server = live({ change: { certificate: stranger.cert, key: stranger.key }, alarms });
  await server.refresh();
  assert.equal(await enrolmentIs(server, FRICTIONLESS), 'unreachable');
  assert.deepEqual(alarms, ['the card ranges of a network cannot be loaded: visa']);
});

test('whoever is registered nowhere asks nobody: the setup is to blame', async () => {
  const server = live();
  await server.refresh();
  scheme.asked.length = 0;
  const parts = exampleParts(exampleRequest(), { setup: server.setup('Shop', 'https://pay.example') });
  const event = await requestAuthentication(directoryOf(server), {
    areq: areqFor(await started(server), parts),
    network: 'visa',
  });
  assert.ok(event.is === 'erred');
  assert.deepEqual([kindByError[event.erro.errorCode], scheme.asked.length], ['misconfigured', 0]);
});

async function started(server: LiveThreeDS): Promise<Authentication> {
  const asked = exampleRequest();
  const enrolment = await directoryOf(server).versions({ ...enquiry, number: FRICTIONLESS });
  const beginning = { parameters: parametersFor(asked), threeDSServerTransID: TRANS_ID, decoupledMinutes: 60, now };
  const prepared = prepare(asked, { ...beginning, enrolment });
  return prepared.is === 'begun' ? prepared.authentication : assert.fail();
}

const range = (start: string, end: string, more: object = {}) => ({
  startRange: start.padEnd(16, '0'),
  endRange: end.padEnd(16, '9'),
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
  ...more,
});
const preqs = () =>
  scheme.asked.filter(({ json: { messageType } }) => messageType === 'PReq').map(({ json: { serialNum } }) => serialNum);

test('ranges: whole at first, then by what has changed since the serial number', async () => {
  const server = live();
  scheme.prepared = ({ serialNum }) =>
    serialNum === undefined
      ? { serialNum: '7', cardRangeData: [range('41', '41'), range('42', '42'), range('43', '43')] }
      : {
          serialNum: '8',
          cardRangeData: [
            { startRange: '4100000000000000', endRange: '4199999999999999', actionInd: 'D' },
            range('42', '42', { actionInd: 'M', threeDSMethodURL: 'https://acs.example/method' }),
            range('44', '44', { actionInd: 'A' }),
            range('49', '49', { actionInd: 'D' }),
          ],
        };
  await server.refresh();
  now += DAY_MS - 1;
  await server.refresh();
  assert.deepEqual(preqs(), [undefined], 'once a day');
  now += 1;
  await server.refresh();
  assert.deepEqual(preqs(), [undefined, '7']);
  const seen = await Promise.all(['4100', '4200', '4300', '4400'].map((start) => enrolmentIs(server, start.padEnd(16, '5'))));
  assert.deepEqual(seen, ['outside', 'enrolled', 'enrolled', 'enrolled']);
  const changed = await directoryOf(server).versions({ ...enquiry, number: '4200000000000000' });
  assert.ok(changed.is === 'enrolled' && changed.range.methodUrl === 'https://acs.example/method');
  now += DAY_MS;
  await server.refresh();
  assert.deepEqual(preqs(), [undefined, '7', '8']);
});

test('a serial number that is not known any more: the whole list again', async () => {
  const server = live();
  await server.refresh();
  now += DAY_MS;
  scheme.answering = ({ json: { serialNum, threeDSServerTransID } }, response) =>
    send(
      response,
      serialNum === undefined
        ? { messageType: 'PRes', messageVersion: '2.2.0', threeDSServerTransID, cardRangeData: [range('43', '43')] }
        : { ...erro, errorCode: '307' },
    );
  await server.refresh();
  assert.deepEqual(
    [await enrolmentIs(server, FRICTIONLESS), await enrolmentIs(server, '4300000000000000')],
    ['outside', 'enrolled'],
  );
});

const wrongLists: readonly (readonly [says: string, list: object])[] = [
  ['no range', { cardRangeData: [] }],
  ['nothing', {}],
  ['a range that ends before it starts', { cardRangeData: [{ ...range('42', '42'), endRange: '4100000000000000' }] }],
  ['a range of two lengths', { cardRangeData: [{ ...range('42', '42'), endRange: '42999999999999999' }] }],
  ['a range without versions', { cardRangeData: [{ startRange: '4200000000000000', endRange: '4299999999999999' }] }],
  ['an action that is unknown', { cardRangeData: [range('42', '42', { actionInd: 'X' })] }],
  ['the answer to another question', { threeDSServerTransID: TRANS_ID, cardRangeData: RANGES }],
];
for (const [says, list] of wrongLists) {
  test(`a list with ${says} is not taken, and the last good one stands`, async () => {
    const server = live();
    await server.refresh();
    scheme.prepared = () => list;
    now += DAY_MS;
    for (let round = 0; round < 5; round += 1, now += HOUR_MS) await server.refresh();
    assert.equal(await enrolmentIs(server, FRICTIONLESS), 'enrolled', 'what changes nothing is a list, too');
    const fresh = live();
    await fresh.refresh();
    assert.equal(await enrolmentIs(fresh, FRICTIONLESS), 'unreachable');
  });
}

test('a load that fails is tried again less and less often, and after a day the operator is told', async () => {
  const alarms: string[] = [];
  const server = live({ alarms });
  await server.refresh();
  now += DAY_MS;
  scheme.answering = (_, response) => void response.destroy();
  scheme.asked.length = 0;
  const failedAt = now;
  const triedAt: number[] = [];
  for (let minute = 0; minute < 26 * 60; minute += 1, now += 60_000) {
    const before = scheme.asked.length;
    await server.refresh();
    if (scheme.asked.length > before) triedAt.push((now - failedAt) / 60_000);
    if (now - failedAt < DAY_MS) assert.deepEqual(alarms, []);
  }
  assert.deepEqual(triedAt.slice(0, 8), [0, 1, 3, 7, 15, 31, 63, 123]);
  assert.ok(triedAt.length < 34);
  assert.deepEqual(alarms, ['the card ranges of a network could not be loaded for a day: visa']);
  assert.equal(await enrolmentIs(server, FRICTIONLESS), 'enrolled');
  scheme.answering = null;
  now += HOUR_MS;
  await server.refresh();
  now += HOUR_MS;
  scheme.asked.length = 0;
  await server.refresh();
  assert.equal(scheme.asked.length, 0, 'all is well again');
});

test('who is told that he asks too often waits for an hour', async () => {
  const server = live();
  scheme.answering = (_, response) => send(response, { ...erro, errorCode: '103' });
  await server.refresh();
  now += HOUR_MS - 1;
  await server.refresh();
  assert.equal(scheme.asked.length, 1);
  now += 1;
  await server.refresh();
  assert.equal(scheme.asked.length, 2);
});

test('lists outlive the process: the next one knows them at once and does not ask within the hour', async () => {
  const keeper = createRangeFiles(join(folder, 'lists'));
  await live({ keeper }).refresh();
  now += HOUR_MS - 1;
  scheme.asked.length = 0;
  const second = live({ keeper });
  await second.refresh();
  assert.deepEqual([await enrolmentIs(second, FRICTIONLESS), scheme.asked.length], ['enrolled', 0]);
  now += 1;
  await second.refresh();
  assert.deepEqual(preqs(), ['1']);
  const path = join(folder, 'lists', 'visa.json');
  for (const damaged of ['{', '{}', readFileSync(path, 'utf8').replace('"4200000000000000"', '"x"')]) {
    writeFileSync(path, damaged);
    assert.equal(await keeper.read('visa'), null);
  }
});

test('payments need nothing else than what this is: one client for every address, no directives, nothing to poll', () => {
  const server: ThreeDSServer = live();
  assert.equal(server.directory('https://one.example'), server.directory('https://two.example'));
  const read = createParameterReader({ 'customParameters[SIMULATOR_3dsStatus]': 'Y' });
  assert.deepEqual([server.extensions(read), server.poll('https://one.example', 'https://acs.example', now)], [[], null]);
});

test('two that load at the same time ask once', async () => {
  const server = live();
  await Promise.all([server.refresh(), server.refresh()]);
  assert.equal(scheme.asked.length, 1);
});
