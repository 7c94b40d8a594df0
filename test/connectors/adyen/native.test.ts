import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paymentRequest } from '../../../src/connectors/adyen/requests.ts';
import { type AdyenSettings, liveEnvironments, settingFaults, settingRows } from '../../../src/connectors/adyen/settings.ts';
import { actionIn, componentFor } from '../../../src/connectors/adyen/steps.ts';
import { rowFaults, type SettingRows } from '../../../src/connectors/kind.ts';
import { type Payment, RESULT_FIELD, STEP_FIELD } from '../../../src/payments/payment.ts';
import type { AcquirerAnswer } from '../../../src/payments/ports.ts';
import { DAY_MS } from '../../../src/spec/time.ts';
import { threeDSResult } from './native.ts';
import { requestFault } from './openApi.ts';
import { cardAttempt, directed, openAdyen, settings } from './opened.ts';
import { CLIENT_KEY } from './server.ts';

const NATIVE = { authentication: 'native', clientKey: CLIENT_KEY } as const;
const ID = (digit: string): string => digit.repeat(32);
const browser = {
  shopperResultUrl: 'https://shop.example/done',
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'de-DE',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
};

type Opened = Awaited<ReturnType<typeof openAdyen>>;

const withNative =
  (run: (opened: Opened) => Promise<void>, given: Partial<AdyenSettings> = {}) =>
  async (): Promise<void> => {
    const opened = await openAdyen({ ...NATIVE, ...given });
    try {
      await run(opened);
      assert.deepEqual(opened.server.faults, []);
    } finally {
      await opened.server.close();
    }
  };

/** A payment on the gateway's page, as the core keeps it. */
async function away({ connector }: Opened, flow: string, id = ID('1')): Promise<Payment> {
  const { payment, ...rest } = cardAttempt({ id, fields: browser, ...directed(`native ${flow}`) });
  const answer = await connector.send({ payment, ...rest });
  if (answer.is !== 'redirected') throw new Error(`answered ${answer.is}`);
  const { redirect, until } = answer;
  return { ...payment, phase: { at: 'shopper', redirect, tries: 0, until, dueAt: until } };
}

type Action = { readonly subtype: string; readonly authorisationToken: string };

/** What the page shows. */
async function shown({ connector }: Opened, payment: Payment) {
  const step = await connector.shopperStep?.({ payment, referenced: null });
  if (step?.is !== 'component') return { is: step?.is ?? 'nothing', token: '', wasRefused: false, action: null };
  return { is: step.is, token: step.token, wasRefused: step.wasRefused, action: step.component.data.action as Action };
}

/** The page sends a result. */
async function post({ connector }: Opened, payment: Payment, step: string, result: string): Promise<AcquirerAnswer> {
  const parameters = new Map([
    [STEP_FIELD, step],
    [RESULT_FIELD, result],
  ]);
  const answer = await connector.completeReturn?.({ payment, referenced: null }, parameters);
  if (!answer) throw new Error('no answer');
  return answer;
}

/** The component does what the page shows, and the page sends the result. */
async function take(opened: Opened, payment: Payment, transStatus: 'Y' | 'N' = 'Y'): Promise<AcquirerAnswer> {
  const { token, action } = await shown(opened, payment);
  return post(opened, payment, token, threeDSResult(action?.authorisationToken ?? '', transStatus));
}

const codeOf = (answer: AcquirerAnswer): string => (answer.is === 'declined' ? answer.code : answer.is);
const detailsOf = ({ server }: Opened) => server.requests.filter(({ path }) => path === '/payments/details');
const bookedTimes = ({ server }: Opened, payment: Payment): number => server.booked(payment).times;

test('settings: native needs the client key of its own environment, and addresses that browsers can trust', () => {
  const live = 'https://abc-Example-checkout-live.adyenpayments.com/checkout/v72';
  const contradictions: readonly (readonly [Partial<AdyenSettings>, readonly RegExp[]])[] = [
    [{}, []],
    [NATIVE, []],
    [{ authentication: 'native' }, [/clientKey" is missing; native authentication needs the public client key/]],
    [{ clientKey: 'live_ABCDEFGHIJKL' }, [/is a live key/]],
    [{ clientKey: CLIENT_KEY, url: live }, [/is a test key/]],
    [{ ...NATIVE, clientKey: 'live_ABCDEFGHIJKL', url: live }, []],
  ];
  for (const [given, expected] of contradictions) {
    const faults = settingFaults({ ...settings, ...given });
    assert.equal(faults.length, expected.length, faults.join());
    for (const [at, pattern] of expected.entries()) assert.match(faults[at] ?? '', pattern);
  }
  const values: readonly (readonly [keyof AdyenSettings, string, boolean])[] = [
    ['clientKey', CLIENT_KEY, true],
    ['clientKey', `AQE${CLIENT_KEY}`, false],
    ['clientKey', 'test_"><script>', false],
    ['componentUrl', 'https://files.example.com/adyen/6.45.2/adyen.js', true],
    ['componentUrl', 'http://files.example.com/adyen.js', false],
    ['componentUrl', "https://files.example.com/; script-src 'unsafe-inline'/adyen.js", false],
    ['componentUrl', 'https://files.example.com/other.js', false],
    ['componentIntegrity', `sha384-${'A'.repeat(64)}`, true],
    ['componentIntegrity', 'md5-abc', false],
  ];
  for (const [name, value, isFit] of values) {
    const rows = settingRows as SettingRows<Readonly<Record<string, unknown>>>;
    const faults = rowFaults(rows, { merchantAccount: 'A', [name]: value });
    assert.equal(faults.length === 0, isFit, `${name} ${value}`);
  }
});

test('the request asks for native authentication only with the whole browser and a short origin', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, string, string | undefined, string | undefined])[] =
    [
      ['all is known', browser, 'https://pay.example.com/v1/return/1', 'preferred', 'https://pay.example.com'],
      [
        'half a browser',
        { ...browser, 'customer.browser.userAgent': '' },
        'https://pay.example.com/v1/return/1',
        'disabled',
        undefined,
      ],
      ['a long name', browser, `https://${'a'.repeat(60)}.${'b'.repeat(20)}.example.com/v1`, 'disabled', undefined],
      ['nowhere to return to', { ...browser, shopperResultUrl: '' }, 'https://pay.example.com/v1', undefined, undefined],
    ];
  for (const [name, { shopperResultUrl, ...fields }, returnUrl, nativeThreeDS, origin] of cases) {
    const attempt = cardAttempt({ fields: { ...fields, ...(shopperResultUrl && { shopperResultUrl }) } });
    const made = paymentRequest(attempt, { ...settings, ...NATIVE }, returnUrl);
    const body = JSON.parse(JSON.stringify(made.is === 'request' ? made.body : {}));
    assert.equal(requestFault('/payments', body), null, name);
    assert.equal(body.authenticationData.threeDSRequestData?.nativeThreeDS, nativeThreeDS, name);
    assert.equal(body.origin, origin, name);
  }
});

test('the component is loaded from the servers of the environment, or from where the account says', () => {
  const { payment } = cardAttempt({ fields: { ...browser, 'billing.country': 'DE' } });
  const made = (given: Partial<AdyenSettings>) => componentFor({ ...settings, ...given }, { type: 'threeDS2' }, payment);
  const test = made({ clientKey: CLIENT_KEY });
  assert.match(test.script.url, /^https:\/\/checkoutshopper-test\.cdn\.adyen\.com\/checkoutshopper\/sdk\/[0-9.]+\/adyen\.js$/);
  assert.deepEqual(test.origins, ['https://checkoutshopper-test.cdn.adyen.com', 'https://checkoutshopper-test.adyen.com']);
  assert.deepEqual([test.data.environment, test.data.locale, test.data.countryCode], ['test', 'de-DE', 'DE']);
  const live = made({ clientKey: 'live_ABCDEFGHIJKL', componentRegion: 'us', componentIntegrity: 'sha384-x' });
  assert.match(live.script.url, /^https:\/\/checkoutshopper-live-us\.cdn\.adyen\.com\//);
  assert.deepEqual([live.data.environment, live.script.integrity], ['live-us', 'sha384-x']);
  for (const [componentRegion, environment] of Object.entries(liveEnvironments)) {
    const there = made({ clientKey: 'live_ABCDEFGHIJKL', componentRegion: componentRegion as AdyenSettings['componentRegion'] });
    assert.equal(there.data.environment, environment);
    assert.deepEqual(there.origins, [
      `https://checkoutshopper-${environment}.cdn.adyen.com`,
      `https://checkoutshopper-${environment}.adyen.com`,
    ]);
  }
  const own = made({ clientKey: CLIENT_KEY, componentUrl: 'https://files.example.com/adyen.js' });
  assert.equal(own.style?.url, 'https://files.example.com/adyen.css');
  assert.equal(own.origins[0], 'https://files.example.com');
});

test('an action is kept with the texts that the component reads, up to a length', () => {
  const action = { type: 'threeDS2', subtype: 'challenge', token: 'abc', other: 'x', url: 5 };
  assert.deepEqual(actionIn(action), { type: 'threeDS2', subtype: 'challenge', token: 'abc' });
  for (const refused of [null, 'threeDS2', { type: 'redirect' }, { type: 'threeDS2', token: 'a'.repeat(70_000) }])
    assert.equal(actionIn(refused), null);
});

const outcomes: readonly (readonly [flow: string, answers: readonly ('Y' | 'N')[], outcome: string, times: number])[] = [
  ['frictionless', ['Y'], 'approved', 1],
  ['frictionless', ['N'], '100.380.401', 0],
  ['challenge', ['Y'], 'approved', 1],
  ['challenge', ['N'], '100.380.401', 0],
  ['both', ['Y', 'Y'], 'approved', 1],
  ['both', ['Y', 'N'], '100.380.401', 0],
  ['both', ['N'], '100.380.401', 0],
];
for (const [flow, answers, outcome, times] of outcomes) {
  test(
    `${flow} ${answers.join(', ')}: ${outcome}`,
    withNative(async (opened) => {
      const payment = await away(opened, flow);
      assert.equal(
        payment.phase.at === 'shopper' && payment.phase.redirect.url,
        `/v1/component/${payment.merchantId}.${payment.id}`,
      );
      for (const [at, said] of answers.entries()) {
        const answer = await take(opened, payment, said);
        assert.equal(codeOf(answer), at === answers.length - 1 ? outcome : 'redirected');
      }
      assert.equal(bookedTimes(opened, payment), times);
      assert.equal(detailsOf(opened).length, answers.length);
      assert.equal((await shown(opened, payment)).is, 'done');
      assert.deepEqual(
        [...opened.documents.values()].map(({ body }) => body),
        [{ kind: 'over' }],
        'nothing is left of it',
      );
    }),
  );
}

test(
  'a redirect in native mode is a redirect, at once and after the fingerprint',
  withNative(async (opened) => {
    const direct = cardAttempt({ id: ID('2'), fields: browser, ...directed('redirect') });
    const answer = await opened.connector.send(direct);
    assert.equal(answer.is === 'redirected' && answer.redirect.url.startsWith('https://checkoutshopper-test.adyen.com/'), true);
    assert.equal(await opened.connector.shopperStep?.({ payment: direct.payment, referenced: null }), null);
    const payment = await away(opened, 'elsewhere');
    const reference = 'PSP0000000000002';
    assert.equal((await take(opened, payment)).is, 'redirected');
    const step = await opened.connector.shopperStep?.({ payment, referenced: null });
    assert.equal(step?.is === 'redirect' && step.redirect.url, `https://checkoutshopper-test.adyen.com/redirect/${reference}`);
    const back = new Map([['redirectResult', `${reference}.yes`]]);
    assert.equal((await opened.connector.completeReturn?.({ payment, referenced: null }, back))?.is, 'approved');
    assert.equal(bookedTimes(opened, payment), 1);
    assert.equal((await shown(opened, payment)).is, 'done');
  }),
);

test(
  'in redirect mode a native action is declined, and nothing is shown',
  withNative(
    async (opened) => {
      opened.server.scripted.push({ status: 200, body: { resultCode: 'IdentifyShopper', action: { type: 'threeDS2' } } });
      assert.equal(codeOf(await opened.connector.send(cardAttempt({ fields: browser }))), '100.390.113');
      assert.equal(opened.documents.size, 0);
    },
    { authentication: 'redirect', clientKey: '' },
  ),
);

test(
  'an action that is too long is declined before anything is kept',
  withNative(async (opened) => {
    const action = { type: 'threeDS2', token: 'a'.repeat(70_000) };
    opened.server.scripted.push({ status: 200, body: { resultCode: 'ChallengeShopper', action } });
    assert.equal(codeOf(await opened.connector.send(cardAttempt({ fields: browser }))), '100.390.113');
    assert.equal(opened.documents.size, 0);
  }),
);

test(
  'sent twice, at once or later, a result is worked on once',
  withNative(async (opened) => {
    const payment = await away(opened, 'both');
    const first = await shown(opened, payment);
    const result = threeDSResult(first.action?.authorisationToken ?? '');
    const both = await Promise.all([post(opened, payment, first.token, result), post(opened, payment, first.token, result)]);
    assert.deepEqual(both.map(codeOf), ['redirected', 'redirected']);
    const challenge = await shown(opened, payment);
    assert.equal(challenge.action?.subtype, 'challenge');
    assert.notEqual(challenge.token, first.token);
    assert.equal((await post(opened, payment, first.token, result)).is, 'waiting', 'the page before has nothing to say');
    assert.equal(detailsOf(opened).length, 1);
    assert.equal((await take(opened, payment)).is, 'approved');
    assert.equal((await post(opened, payment, challenge.token, result)).is, 'waiting');
    assert.equal(detailsOf(opened).length, 2);
    assert.equal(bookedTimes(opened, payment), 1);
  }),
);

test(
  'of two results of one action the first counts, whatever the network does',
  withNative(async (opened) => {
    const payment = await away(opened, 'challenge');
    const { token, action } = await shown(opened, payment);
    opened.network.lost = 3;
    assert.equal((await post(opened, payment, token, threeDSResult(action?.authorisationToken ?? ''))).is, 'waiting');
    assert.equal((await shown(opened, payment)).is, 'done', 'there is nothing left to do for the shopper');
    const other = threeDSResult(action?.authorisationToken ?? '', 'N');
    assert.equal((await post(opened, payment, token, other)).is, 'approved', 'the first one is sent again');
    assert.equal(new Set(detailsOf(opened).map(({ key }) => key)).size, 1);
    assert.equal(bookedTimes(opened, payment), 1);
  }),
);

test(
  'a result without an answer is sent again by inquiries, under its key',
  withNative(async (opened) => {
    const payment = await away(opened, 'both');
    opened.network.lost = 3;
    assert.equal((await take(opened, payment)).is, 'waiting');
    const inquire = () => opened.connector.inquire({ payment, referenced: null });
    assert.equal((await inquire()).is, 'redirected');
    assert.equal((await shown(opened, payment)).action?.subtype, 'challenge', 'the shopper who comes back sees the challenge');
    assert.equal((await inquire()).is, 'waiting', 'it is the shopper’s turn');
    opened.network.lost = 3;
    assert.equal((await take(opened, payment)).is, 'waiting');
    opened.network.lost = 3;
    assert.equal((await inquire()).is, 'waiting');
    assert.equal((await inquire()).is, 'approved');
    assert.equal(new Set(detailsOf(opened).map(({ key }) => key)).size, 2);
    assert.equal(bookedTimes(opened, payment), 1);
  }),
);

test(
  'a notification decides before the answer does',
  withNative(async (opened) => {
    const payment = await away(opened, 'challenge');
    opened.network.lost = 3;
    await take(opened, payment);
    await opened.receiveAll();
    const before = detailsOf(opened).length;
    assert.equal((await opened.connector.inquire({ payment, referenced: null })).is, 'approved');
    assert.equal((await post(opened, payment, 'x', 'y')).is, 'approved');
    assert.equal(detailsOf(opened).length, before);
  }),
);

test(
  'a result that is none, of another page, of another payment, or refused leaves the action for another try',
  withNative(async (opened) => {
    const payment = await away(opened, 'challenge');
    const cheap = await away(opened, 'challenge', ID('2'));
    const { token, action } = await shown(opened, payment);
    const good = threeDSResult(action?.authorisationToken ?? '');
    const nothingSent: readonly (readonly [string, string, string, boolean])[] = [
      ['an unknown token', 'f'.repeat(32), good, false],
      ['no token', '', good, false],
      ['the token of another payment', (await shown(opened, cheap)).token, good, false],
      ['an empty result', token, '', true],
      ['no base64', token, '<script>', true],
      ['too long', token, 'A'.repeat(50_001), true],
    ];
    for (const [name, step, result, wasRefused] of nothingSent) {
      assert.equal((await post(opened, payment, step, result)).is, 'waiting', name);
      assert.deepEqual(await shown(opened, payment), { is: 'component', token, action, wasRefused }, name);
    }
    assert.equal(detailsOf(opened).length, 0);
    assert.equal((await post(opened, payment, token, 'AAAA')).is, 'waiting', 'Adyen does not read it');
    const foreign = threeDSResult((await shown(opened, cheap)).action?.authorisationToken ?? '');
    assert.equal((await post(opened, payment, token, foreign)).is, 'waiting', 'Adyen answers about the other payment');
    assert.deepEqual([bookedTimes(opened, payment), bookedTimes(opened, cheap)], [0, 1]);
    assert.equal((await shown(opened, payment)).wasRefused, true);
    assert.equal((await take(opened, payment)).is, 'approved');
    assert.equal(bookedTimes(opened, payment), 1);
    await opened.receiveAll();
    assert.equal((await opened.connector.inquire({ payment: cheap, referenced: null })).is, 'approved');
  }),
);

test(
  'wrong credentials are no fault of the result',
  withNative(async (opened) => {
    const payment = await away(opened, 'challenge');
    const body = { status: 401, errorCode: '000', message: 'text', errorType: 'security' };
    opened.server.scripted.push({ status: 401, body });
    assert.equal((await take(opened, payment)).is, 'waiting');
    assert.deepEqual(opened.alarms, ['Adyen refused a request']);
    assert.equal((await opened.connector.inquire({ payment, referenced: null })).is, 'approved');
  }),
);

test(
  'an issuer that never comes to an end is not followed for ever',
  withNative(async (opened) => {
    const payment = await away(opened, 'challenge');
    const again = { resultCode: 'ChallengeShopper', action: { type: 'threeDS2', subtype: 'challenge', authorisationToken: 'x' } };
    let steps = 0;
    while ((await shown(opened, payment)).is === 'component' && steps < 50) {
      opened.server.scripted.push({ status: 200, body: again });
      const { token } = await shown(opened, payment);
      await post(opened, payment, token, threeDSResult(`${steps}`));
      steps += 1;
    }
    assert.equal(steps, 8);
  }),
);

test(
  'a shopper who never comes back is forgotten with the payment',
  withNative(async (opened) => {
    const payment = await away(opened, 'challenge');
    const cancelling = { ...payment, phase: { at: 'cancelling', tries: 0, dueAt: 0, since: 0 } as const };
    assert.equal((await opened.connector.cancel({ payment: cancelling, referenced: null })).is, 'waiting');
    assert.deepEqual(
      [...opened.documents.values()].map(({ body }) => body),
      [{ kind: 'over' }],
    );
  }),
);

test(
  'what a notification has overtaken is forgotten after eight days',
  withNative(async (opened) => {
    const { connector, documents, time } = opened;
    const { signal } = new AbortController();
    const ids = Array.from({ length: 205 }, (_, at) => (at + 1).toString(16).padStart(32, '0'));
    for (const id of ids) await away(opened, 'challenge', id);
    const left = (): number => [...documents.values()].filter(({ body }) => (body as { kind: string }).kind !== 'over').length;
    for (const [days, expected] of [
      [0, 205],
      [6, 205],
      [1, 205],
      [1, 0],
    ] as const) {
      time.now += days * DAY_MS;
      await connector.upkeep?.(signal);
      assert.equal(left(), expected);
    }
  }),
);
