import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import { after, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { clock } from '../../src/app/system.ts';
import { type Connection, clientAuthorities, type LiveConnections } from '../../src/threeds/live/connection.ts';
import { createResultsAccess } from '../../src/threeds/live/resultsAccess.ts';
import { CARD, DEMO, SHOPPER } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { createAuthority, type Issued } from './authority.ts';

const ours = createAuthority('Our Root');
const scheme = createAuthority('Scheme Root');
const between = scheme.authority('Scheme Between');
const elsewhere = createAuthority('Another Root');
const identity = ours.issue({ name: 'localhost' });

const directoryServer = scheme.issue({ name: 'ds.scheme.example' });
const throughBetween = between.issue({ name: 'ds.scheme.example' });
const outOfTime = scheme.issue({ name: 'ds.scheme.example', until: '210101000000Z' });
const serverOnly = scheme.issue({ name: 'ds.scheme.example', isServerOnly: true });
const otherHost = scheme.issue({ name: 'someone.else.example' });
const stranger = elsewhere.issue({ name: 'ds.scheme.example' });
const pinned = elsewhere.issue({ name: 'pinned.example' });

const connection = (results: Connection['results']): Connection => ({
  url: 'https://ds.scheme.example',
  rangesUrl: 'https://ds.scheme.example',
  certificate: '',
  key: '',
  ca: null,
  serverReference: 'r',
  operatorId: null,
  version: '2.2.0',
  results,
});
const connections: LiveConnections = {
  resultsOrigin: null,
  certificateHeader: 'x-client-cert',
  networks: {
    visa: connection({ fingerprints: [], ca: [scheme.cert], names: ['ds.scheme.example'] }),
    mastercard: connection({ fingerprints: [pinned.fingerprint.replaceAll(':', '')], ca: [], names: null }),
  },
};
const resultsAccess = createResultsAccess(connections, clock);
const tls = { cert: identity.cert, key: identity.key, clientCa: clientAuthorities(connections) };
const gateway = await startGateway({ tls, resultsAccess, trustProxy: ['192.0.2.1'] });
const behindProxy = await startGateway({ tls, resultsAccess, trustProxy: ['127.0.0.1'] });
const open = await startGateway({ tls });
after(() => Promise.all([gateway.close(), behindProxy.close(), open.close()]));

type Sent = {
  readonly peer?: Issued;
  readonly chain?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
};
type Got = { readonly isResumed: boolean; readonly status: number; readonly json: Readonly<Record<string, unknown>> };

function post(
  place: TestGateway,
  path: string,
  body: string,
  { peer, chain = '', headers = {}, agent }: Sent = {},
): Promise<Got> {
  const shown = peer ? { cert: `${peer.cert}${chain}`, key: peer.key } : {};
  return new Promise((resolve, reject) => {
    const sending = request(`https://localhost:${place.port}${path}`, {
      method: 'POST',
      agent: agent ?? false,
      ca: ours.cert,
      ...shown,
      headers,
    });
    sending.on('error', reject);
    sending.on('response', async (response) => {
      const isResumed = (response.socket as TLSSocket).isSessionReused();
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ isResumed, status: response.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    sending.end(body);
  });
}

const cards = { visa: '4200000000000018', mastercard: '5200000000000015' } as const;

/** A payment whose cardholder is asked, and the results that would end it well. */
async function challenged(place: TestGateway): Promise<{ readonly path: string; readonly rreq: string; readonly id: string }> {
  const fields = { entityId: DEMO.entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB', ...CARD, ...SHOPPER };
  const form = new URLSearchParams({ ...fields, 'card.number': cards.visa, shopperResultUrl: 'https://shop.example/' });
  const authorization = `Bearer ${DEMO.token}`;
  const paid = await post(place, '/v1/payments', form.toString(), {
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
  });
  const { id, redirect } = paid.json as { readonly id: string; readonly redirect: { readonly url: string } };
  const payment = await place.world.store.payment(DEMO.merchantId, id);
  const { version, threeDSServerTransID, acsTransID, dsTransID } = payment?.threeDS?.state ?? assert.fail(JSON.stringify(paid));
  const rreq = {
    messageType: 'RReq',
    messageVersion: version,
    threeDSServerTransID,
    acsTransID,
    dsTransID,
    messageCategory: '01',
    transStatus: 'Y',
    eci: '05',
    authenticationValue: Buffer.alloc(20, 7).toString('base64'),
    authenticationType: '02',
    interactionCounter: '01',
  };
  return { path: `${new URL(redirect.url).pathname}/results`, rreq: JSON.stringify(rreq), id };
}

const isEnded = async (place: TestGateway, id: string): Promise<boolean> =>
  (await place.world.store.payment(DEMO.merchantId, id))?.phase.at === 'final';

const refused: readonly (readonly [who: string, sent: Sent, status: number])[] = [
  ['nobody', {}, 401],
  ['somebody of another authority', { peer: stranger }, 403],
  ['the directory server of another network', { peer: pinned }, 403],
  ['a certificate that is out of time', { peer: outOfTime }, 403],
  ['a certificate for servers only', { peer: serverOnly }, 403],
  ['another host of the scheme', { peer: otherHost }, 403],
  ['the authority between missing', { peer: throughBetween }, 403],
  ['a header from who is no proxy', { headers: { 'x-client-cert': encodeURIComponent(directoryServer.cert) } }, 401],
];
for (const [who, sent, status] of refused) {
  test(`results from ${who} → ${status}, and nothing happens`, async () => {
    const { path, rreq, id } = await challenged(gateway);
    const got = await post(gateway, path, rreq, sent);
    assert.deepEqual([got.status, got.json.messageType, got.json.errorCode], [status, 'Erro', '303']);
    assert.equal(await isEnded(gateway, id), false);
  });
}

const taken: readonly (readonly [who: string, sent: Sent])[] = [
  ['the directory server', { peer: directoryServer }],
  ['it, through an authority between', { peer: throughBetween, chain: between.cert }],
];
for (const [who, sent] of taken) {
  test(`results from ${who} are taken`, async () => {
    const { path, rreq, id } = await challenged(gateway);
    const got = await post(gateway, path, rreq, sent);
    assert.deepEqual([got.status, got.json.messageType], [200, 'RRes']);
    assert.equal(await isEnded(gateway, id), true);
  });
}

const der = directoryServer.x509.raw.toString('base64');
const handedOn: readonly (readonly [how: string, header: string, status: number])[] = [
  ['PEM with percent signs', encodeURIComponent(directoryServer.cert), 200],
  ['base64', der, 200],
  ['base64 between colons', `:${der}:`, 200],
  ['of another authority', stranger.x509.raw.toString('base64'), 403],
  ['nonsense', '%%%', 401],
  ['nothing', '', 401],
];
for (const [how, header, status] of handedOn) {
  test(`a proxy hands the certificate on, ${how} → ${status}`, async () => {
    const { path, rreq } = await challenged(behindProxy);
    const headers: Record<string, string> = header === '' ? {} : { 'x-client-cert': header };
    // The proxy's own certificate is not its client's.
    const got = await post(behindProxy, path, rreq, { headers, peer: directoryServer });
    assert.equal(got.status, status);
  });
}

test('a directory server that resumes its TLS session is known again without those between', async () => {
  const agent = new Agent({
    cert: `${throughBetween.cert}${between.cert}`,
    key: throughBetween.key,
    ca: ours.cert,
    keepAlive: false,
  });
  for (const isResumed of [false, true]) {
    const { path, rreq } = await challenged(gateway);
    const got = await post(gateway, path, rreq, { agent });
    assert.deepEqual([got.status, got.isResumed], [200, isResumed]);
  }
});

test('the test environment asks nobody for a certificate', async () => {
  const { path, rreq } = await challenged(open);
  assert.equal((await post(open, path, rreq)).json.messageType, 'RRes');
});

test('results for a payment that is unknown: strangers learn nothing, a directory server is told so', async () => {
  const { path, rreq } = await challenged(gateway);
  const unknown = path.replace(/[0-9a-f]{8}\/results$/, '00000000/results');
  assert.equal((await post(gateway, unknown, rreq, { peer: stranger })).status, 403);
  const reply = await post(gateway, unknown, rreq, { peer: directoryServer });
  assert.deepEqual([reply.status, reply.json.errorCode], [200, '301']);
});

test('a pinned certificate is good for its own network, and one that takes anyone needs none', () => {
  assert.equal(resultsAccess.verdict('mastercard', pinned.x509), 'trusted');
  assert.equal(resultsAccess.verdict('mastercard', directoryServer.x509), 'foreign');
  assert.equal(resultsAccess.verdict('jcb', directoryServer.x509), 'foreign');
  const anyone = createResultsAccess({ ...connections, networks: { visa: connection(null) } }, clock);
  assert.equal(anyone.verdict('visa', null), 'trusted');
  const late = createResultsAccess(connections, { now: () => Date.UTC(2050, 1, 1) });
  assert.equal(late.verdict('mastercard', pinned.x509), 'foreign');
});
