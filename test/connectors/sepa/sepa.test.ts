import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Settings } from '../../../src/connectors/sepa/settings.ts';
import { settingFaults, settingRows } from '../../../src/connectors/sepa/settings.ts';
import { fileFaults } from '../../../src/connectors/sepa/validate.ts';
import type { Payment } from '../../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt } from '../../../src/payments/ports.ts';
import { exampleRegistration, INITIAL } from '../../contract/connectorFixtures.ts';
import { IBAN, MONDAY, openAccount } from './account.ts';

const DAY_MS = 86_400_000;
const signed = (id: string, signedOn?: string) => ({
  'bankAccount.mandate.id': id,
  ...(signedOn !== undefined && { 'bankAccount.mandate.dateOfSignature': signedOn }),
});
const says = (answer: AcquirerAnswer): string => (answer.is === 'declined' ? answer.code : answer.is);
const account = (changes: object) =>
  ({
    instrument: {
      kind: 'bankAccount',
      holder: 'Ann Example',
      last4Digits: null,
      country: null,
      bankCode: null,
      bic: null,
      bankName: null,
      ...changes,
    },
  }) as Pick<Payment, 'instrument'>;
const SWISS = 'CH9300762011623852957';
const town = { 'billing.city': 'Zürich', 'billing.country': 'CH' };

const refusals: readonly (readonly [string, Partial<Settings>, Partial<Payment>, Partial<Omit<Attempt, 'payment'>>, string])[] = [
  ['an ordinary debit', {}, {}, {}, 'waiting'],
  ['dollars', {}, { currency: 'USD' }, {}, '600.200.500'],
  ['a thousand million', {}, { amount: 100_000_000_000n }, {}, '100.550.301'],
  ['the most', {}, { amount: 99_999_999_999n }, {}, 'waiting'],
  ['nothing', {}, { amount: 0n }, {}, '100.550.300'],
  ['an account outside the SEPA', {}, {}, { secrets: { iban: 'BR1500000000000010932840814P2' } }, '800.100.208'],
  ['no holder', {}, account({ holder: null }), {}, '800.100.198'],
  ['a holder of blanks', {}, account({ holder: ' \t ' }), {}, '800.100.198'],
  ['no mandate', {}, { fields: {} }, {}, '100.500.303'],
  ['no mandate, made here', { mandates: 'generated' }, { fields: {} }, {}, 'waiting'],
  ['no date of signature', {}, { fields: signed('M') }, {}, '100.500.302'],
  ['no date of signature, mandates made here', { mandates: 'generated' }, { fields: signed('M') }, {}, '100.500.302'],
  ['signed tomorrow', {}, { fields: signed('M', '2026-11-17') }, {}, '100.500.302'],
  ['36 characters', {}, { fields: signed('M'.repeat(36), '2026-11-01') }, {}, '100.500.303'],
  ['lapsed', {}, { fields: signed('M', '2023-11-10') }, {}, '800.100.204'],
  ['due yesterday', {}, { fields: { ...signed('M', '2026-11-01'), transactionDueDate: '2026-11-15' } }, {}, '100.500.301'],
  ['due in a week', {}, { fields: { ...signed('M', '2026-11-01'), transactionDueDate: '2026-11-23' } }, {}, 'waiting'],
  ['a Swiss account without a town', {}, account({ bic: 'UBSWCHZH80A' }), { secrets: { iban: SWISS } }, '100.800.300'],
  [
    'a Swiss account without a BIC',
    {},
    { fields: { ...signed('M', '2026-11-01'), ...town } },
    { secrets: { iban: SWISS } },
    '100.200.103',
  ],
  [
    'a Swiss account',
    {},
    { ...account({ bic: 'UBSWCHZH80A' }), fields: { ...signed('M', '2026-11-01'), ...town } },
    { secrets: { iban: SWISS } },
    'waiting',
  ],
  ['a credit', {}, { paymentType: 'CD', fields: {} }, {}, 'waiting'],
  ['a BIC that is none', {}, account({ bic: 'AAAA0000' }), {}, '800.100.156'],
  ['a date of signature that is none', {}, { fields: signed('M', '2026-02-31') }, {}, '800.100.156'],
  ['a refund of nothing', {}, { paymentType: 'RF', fields: {} }, {}, '700.400.520'],
];

test('what cannot be collected is declined before anything is kept', async () => {
  for (const [name, given, payment, others, expected] of refusals) {
    const { connector, attempt, sealed, documents } = openAccount(given);
    const sent = attempt(payment, others);
    const answer = await connector.send(sent);
    assert.equal(says(answer), expected, name);
    assert.deepEqual(
      [sealed.size, [...documents.values()].filter(({ id }) => id.startsWith('order/')).length],
      expected === 'waiting' ? [1, 1] : [0, 0],
      name,
    );
    assert.doesNotMatch(JSON.stringify([...documents.values()]), /DE02120300|CH93|Ann Example/, name);
  }
});

test('a refund of a debit whose account number was erased is declined', async () => {
  const { connector, attempt, sealed, faults } = openAccount();
  const { payment: referenced } = attempt();
  const refund = () => attempt({ paymentType: 'RF', fields: {}, instrument: null }, { referenced, secrets: {} });
  assert.equal(says(await connector.send(refund())), 'waiting');
  const kept = sealed.size;
  faults.set('erased', true);
  assert.equal(says(await connector.send(refund())), '700.500.004');
  assert.equal(says(await connector.send(attempt({}, { secrets: {} }))), '800.100.201', 'a debit has no other account to name');
  assert.equal(sealed.size, kept);
});

test('a batch closes at its time, its file is delivered, and nothing of the payer stays behind', async () => {
  const { connector, attempt, sealed, files, documents, time, work } = openAccount({ keepDays: 14 });
  const sent = [attempt(), attempt({ amount: 1_00n }), attempt({ paymentType: 'CD', fields: {}, amount: 2_50n })];
  for (const one of sent) assert.equal(says(await connector.send(one)), 'waiting');
  await work();
  assert.equal(files.size, 0);
  time.now = Date.parse('2026-11-16T08:00:00Z');
  await work();
  assert.deepEqual(
    [...files.keys()].map((name) => name.replace(/-[0-9a-f]{8}-/, '-')),
    ['pain.008-D20261116-001.xml', 'pain.001-C20261116-001.xml'],
  );
  const [debits = '', credits = ''] = [...files.values()].map(String);
  assert.deepEqual([fileFaults(debits, 'pain.008.001.08'), fileFaults(credits, 'pain.001.001.09')], [[], []]);
  for (const { payment } of sent.slice(0, 2)) assert.match(debits, new RegExp(`<EndToEndId>${payment.id}<`));
  assert.match(debits, /<ReqdColltnDt>2026-11-17</);
  assert.match(debits, new RegExp(`<DbtrAcct><Id><IBAN>${IBAN}<`));
  assert.match(credits, /<ReqdExctnDt><Dt>2026-11-16</);
  assert.deepEqual(
    [...sealed.keys()].filter((name) => !name.startsWith('file/')),
    [],
  );
  await work();
  assert.equal(files.size, 2);
  time.now += 20 * DAY_MS;
  await work();
  assert.equal(sealed.size, 0);
  assert.doesNotMatch(JSON.stringify([...documents.values()]), new RegExp(IBAN));
});

test('the sequence and what has changed of a mandate follow from what was collected before', async () => {
  const { connector, attempt, files, time, work } = openAccount();
  const fields = signed('Serie-A', '2026-01-05');
  const charge = (others: Partial<Omit<Attempt, 'payment'>> = {}, changes: Partial<Payment> = {}) =>
    connector.send(attempt({ fields, registrationId: 'r', ...changes }, others));
  const sequences: string[] = [];
  const next = async () => {
    time.now += DAY_MS;
    await work();
    const [name = ''] = [...files.keys()];
    const text = String(files.get(name));
    files.delete(name);
    sequences.push(`${/<SeqTp>(\w+)</.exec(text)?.[1]} ${/SMNDA/.test(text) ? 'amended' : 'same'}`);
  };
  assert.equal(says(await charge({ series: INITIAL })), 'waiting');
  await next();
  assert.equal(says(await charge()), 'waiting');
  await next();
  assert.equal(says(await charge({ secrets: { iban: 'DE91100000000123456789' } })), 'waiting');
  await next();
  assert.equal(says(await charge({ secrets: { iban: 'DE91100000000123456789' } }, { fields: signed('SERIE-a') })), 'waiting');
  await next();
  assert.equal(says(await charge({}, { isLast: true })), 'waiting');
  await next();
  assert.deepEqual(sequences, ['FRST same', 'RCUR same', 'RCUR amended', 'RCUR same', 'FNAL amended']);
  assert.equal(says(await charge()), '800.100.205');
});

test('a mandate for one collection is used once, and again when that was rejected or withdrawn', async () => {
  const { connector, attempt, time, work, say } = openAccount();
  const fields = signed('Once', '2026-11-01');
  const first = attempt({ fields });
  assert.equal(says(await connector.send(first)), 'waiting');
  assert.equal(says(await connector.send(attempt({ fields }))), '800.100.205');
  assert.equal(says(await connector.cancel({ payment: first.payment, referenced: null })), 'cancelled');
  const second = attempt({ fields });
  assert.equal(says(await connector.send(second)), 'waiting');
  time.now += DAY_MS;
  await work();
  say(second.payment, 'rejected', 'AM04');
  assert.equal(says(await connector.inquire({ payment: second.payment, referenced: null })), '800.100.203');
  const third = attempt({ fields });
  assert.equal(says(await connector.send(third)), 'waiting');
  time.now += DAY_MS;
  await work();
  say(third.payment, 'booked');
  assert.equal(says(await connector.send(attempt({ fields }))), '800.100.205');
});

test('the merchant takes a payment back until it is put into a file, and never after', async () => {
  const { connector, attempt, files, sealed, time, work } = openAccount();
  const ask = { referenced: null };
  const withdraw = async (payment: Payment) => says((await connector.withdraw?.({ ...ask, payment })) ?? assert.fail('none'));
  const fields = signed('Taken-back', '2026-11-01');
  const [debit, credit, late] = [attempt({ fields }), attempt({ paymentType: 'CD', fields: {} }), attempt()];
  for (const one of [debit, credit, late]) assert.equal(says(await connector.send(one)), 'waiting');
  for (const { payment } of [debit, credit, debit]) assert.equal(await withdraw(payment), '100.396.201');
  const answer = await connector.inquire({ ...ask, payment: debit.payment });
  assert.deepEqual([says(answer), answer.is === 'declined' && answer.details.isWithdrawn], ['100.396.201', true]);
  assert.equal(says(await connector.cancel({ ...ask, payment: debit.payment })), 'cancelled');
  assert.equal(sealed.size, 1);
  assert.equal(says(await connector.send(attempt({ fields }))), 'waiting', 'the mandate for one collection can be used again');
  time.now += DAY_MS;
  await work();
  assert.equal(await withdraw(late.payment), 'waiting');
  assert.equal(await withdraw(attempt().payment), 'waiting');
  const [text = ''] = [...files.values()].map(String);
  assert.match(text, new RegExp(late.payment.id));
  assert.doesNotMatch(text, new RegExp(debit.payment.id));
  assert.equal(files.size, 1);
});

test('stored details carry their mandate, and a mandate is checked when it is stored', async () => {
  const { connector, attempt, files, sealed, time, work } = openAccount();
  const stored = attempt({ paymentType: 'RG', amount: 0n, currency: 'XXX', fields: signed('Stored-A', '2026-11-02') });
  assert.equal(says(await connector.send(stored)), 'approved');
  assert.equal(
    says(await connector.send(attempt({ paymentType: 'RG', amount: 0n, fields: signed('S', '2026-12-01') }))),
    '100.500.302',
  );
  assert.equal(sealed.size, 0);
  const registration = exampleRegistration({ fields: signed('Stored-A', '2026-11-02') });
  const charged = attempt({ fields: {}, registrationId: registration.id }, { registration });
  assert.equal(says(await connector.send(charged)), 'waiting');
  time.now += DAY_MS;
  await work();
  const [file = ''] = [...files.values()].map(String);
  assert.match(file, /<SeqTp>FRST<.*<MndtId>Stored-A<\/MndtId><DtOfSgntr>2026-11-02</);
});

test('a payment is what the files of the bank say', async () => {
  const cases: readonly (readonly [readonly (readonly [string, string?])[], string])[] = [
    [[], 'waiting'],
    [[['accepted']], 'waiting'],
    [[['rejected', 'AC04']], '800.100.202'],
    [[['rejected']], '800.100.200'],
    [[['booked']], 'approved'],
    [[['accepted'], ['booked']], 'approved'],
    [[['booked'], ['returned', 'MD06']], 'approved'],
    [[['returned', 'MD06'], ['booked']], 'approved'],
    [[['returned', 'MD06']], '800.100.206'],
    [[['accepted'], ['returned', 'AC04']], '800.100.202'],
    [[['booked'], ['rejected', 'AM05']], 'approved'],
  ];
  for (const [statements, expected] of cases) {
    const { connector, attempt, time, work, say } = openAccount();
    const { payment } = await sentOne({ connector, attempt });
    time.now += DAY_MS;
    await work();
    for (const [status, reason] of statements) say(payment, status, reason);
    assert.equal(says(await connector.inquire({ payment, referenced: null })), expected);
  }
});

async function sentOne({ connector, attempt }: Pick<ReturnType<typeof openAccount>, 'connector' | 'attempt'>): Promise<Attempt> {
  const one = attempt();
  assert.equal(says(await connector.send(one)), 'waiting');
  return one;
}

test('silence approves by the policy of the account only, after the due date, and only what was delivered', async () => {
  const silent = openAccount();
  const { payment } = await sentOne(silent);
  silent.time.now += 100 * DAY_MS;
  await silent.work();
  silent.time.now += 100 * DAY_MS;
  assert.equal(says(await silent.connector.inquire({ payment, referenced: null })), 'waiting');

  const trusting = openAccount({ approveAfterDays: 2 });
  const one = await sentOne(trusting);
  const ask = async () => says(await trusting.connector.inquire({ payment: one.payment, referenced: null }));
  trusting.faults.set('open', true);
  trusting.time.now = Date.parse('2026-11-16T08:00:00Z');
  await trusting.work();
  trusting.time.now = Date.parse('2026-11-25T08:00:00Z');
  assert.equal(await ask(), 'waiting');
  trusting.faults.clear();
  await trusting.work();
  assert.equal(await ask(), 'approved');

  const patient = openAccount({ approveAfterDays: 2 });
  const two = await sentOne(patient);
  patient.time.now = Date.parse('2026-11-16T08:00:00Z');
  await patient.work();
  const asked = async (at: string) => {
    patient.time.now = Date.parse(at);
    return says(await patient.connector.inquire({ payment: two.payment, referenced: null }));
  };
  assert.equal(await asked('2026-11-19T04:59:00Z'), 'waiting');
  assert.equal(await asked('2026-11-19T05:00:00Z'), 'approved');
});

test('a payment is cancelled until its batch closes, and one that arrives after its cancellation is refused', async () => {
  const { connector, attempt, sealed, files, time, work } = openAccount();
  const early = attempt();
  assert.equal(says(await connector.inquire({ payment: early.payment, referenced: null })), 'absent');
  assert.equal(says(await connector.cancel({ payment: early.payment, referenced: null })), 'cancelled');
  await assert.rejects(connector.send(early));
  assert.equal(says(await connector.inquire({ payment: early.payment, referenced: null })), 'cancelled');
  const waiting = attempt();
  await connector.send(waiting);
  assert.equal(says(await connector.cancel({ payment: waiting.payment, referenced: null })), 'cancelled');
  assert.equal(says(await connector.cancel({ payment: waiting.payment, referenced: null })), 'cancelled');
  assert.equal(sealed.size, 0);
  const late = attempt();
  await connector.send(late);
  time.now += DAY_MS;
  await work();
  assert.equal(says(await connector.cancel({ payment: late.payment, referenced: null })), 'waiting');
  const [file = ''] = [...files.values()].map(String);
  assert.match(file, /<NbOfTxs>1</);
});

test('a late file moves the due date to one that the bank can reach', async () => {
  const { connector, attempt, files, time, work } = openAccount();
  await connector.send(attempt());
  time.now = MONDAY + 3 * DAY_MS;
  await work();
  const [file = ''] = [...files.values()].map(String);
  assert.match(file, /<ReqdColltnDt>2026-11-20</);
});

test('large batches become several files', async () => {
  const { connector, attempt, files, time, work } = openAccount({ transactionsMax: 3 });
  for (let count = 0; count < 8; count += 1) await connector.send(attempt());
  time.now += DAY_MS;
  await work();
  assert.deepEqual([...files.values()].map((file) => /<NbOfTxs>(\d)</.exec(String(file))?.[1]).toSorted(), ['2', '3', '3']);
});

test('an upload without a receipt is repeated with the same bytes, and a file that is there is not', async () => {
  for (const [fault, isAfter] of [
    ['open', false],
    ['put', false],
    ['put', true],
    ['rename', false],
    ['rename', true],
  ] as const) {
    const { connector, attempt, files, faults, time, work, alarms } = openAccount();
    await connector.send(attempt());
    time.now = Date.parse('2026-11-16T08:00:00Z');
    faults.set(fault, isAfter);
    await work();
    const before = [...files.values()].map(String);
    for (let hour = 0; hour < 6; hour += 1) {
      time.now += 3_600_000;
      await work();
    }
    if (fault !== 'rename' || !isAfter) assert.ok(alarms.length > 0, fault);
    faults.clear();
    time.now += 3_600_000;
    await work();
    const delivered = [...files].filter(([name]) => name.endsWith('.xml'));
    assert.equal(delivered.length, 1, `${fault} ${isAfter}`);
    for (const text of before) assert.equal(String(delivered[0]?.[1]), text);
    await work();
    assert.equal([...files].filter(([name]) => name.endsWith('.xml')).length, 1);
  }
});

test('a node that dies leaves a claim that ends, also when its clock was a day ahead', async () => {
  for (const aheadMs of [0, DAY_MS]) {
    const { connector, attempt, files, faults, time, work } = openAccount();
    await connector.send(attempt());
    const due = Date.parse('2026-11-16T08:00:00Z');
    time.now = due + aheadMs;
    faults.set('seal', false);
    await assert.rejects(work());
    faults.clear();
    time.now = due + 60_000;
    await work();
    assert.equal(files.size, aheadMs === 0 ? 0 : 1);
    time.now = due + aheadMs + 16 * 60_000;
    await work();
    assert.equal(files.size, 1);
  }
});

test('a bank that has taken the file away gets the same bytes once more when the receipt was lost', async () => {
  const { connector, attempt, files, faults, time, work } = openAccount();
  await connector.send(attempt());
  time.now = Date.parse('2026-11-16T08:00:00Z');
  faults.set('rename', true);
  await work();
  const [first = ''] = [...files.values()].map(String);
  files.clear();
  faults.clear();
  time.now += 3_600_000;
  await work();
  assert.deepEqual([...files.values()].map(String), [first]);
});

test('a file names its payments, as a whole and by its parts', async () => {
  const { connector, attempt, time, work, files } = openAccount();
  const sent = [attempt({ registrationId: 'r' }), attempt(), attempt()];
  for (const one of sent) await connector.send(one);
  time.now += DAY_MS;
  await work();
  const [file = ''] = [...files.values()].map(String);
  const messageId = /<MsgId>([^<]+)</.exec(file)?.[1] ?? '';
  const parts = [...file.matchAll(/<PmtInfId>([^<]+)</g)].map(([, id = '']) => id);
  const ids = async (message: string | null, part: string | null) =>
    ((await connector.bankFiles?.paymentsOfMessage(message, part)) ?? []).map(({ paymentId }) => paymentId).toSorted();
  const all = sent.map(({ payment }) => payment.id);
  assert.deepEqual(await ids(messageId, null), all);
  assert.deepEqual(await Promise.all(parts.map((part) => ids(null, part))), [[all[0]], all.slice(1)]);
  assert.deepEqual(await ids('D20261116-00000000-001', null), []);
  assert.equal(connector.bankFiles?.iban, 'DE89370400440532013000');
});

test('settings that do not fit are refused, alone and together', () => {
  const bad: Readonly<Record<string, unknown>> = {
    creditorName: '\t',
    iban: 'DE89370400440532013001',
    bic: 'XX',
    creditorId: 'DE97ZZZ09999999999',
    scheme: 'COR1',
    debitVersion: 'pain.008.001.01',
    cutOff: '25:00',
    leadDays: 0,
    hostKey: 'SHA256:short',
    directory: '../up',
    ca: 'x',
  };
  for (const [name, value] of Object.entries(bad)) assert.equal(settingRows[name as keyof Settings].fits(value), false, name);
  const complete = { delivery: 'sftp', host: '', user: '', hostKey: '', ca: '' } as Settings;
  assert.equal(settingFaults(complete).length, 3);
  assert.deepEqual(settingFaults({ ...complete, delivery: 'folder' }), []);
  assert.equal(settingFaults({ ...complete, delivery: 'folder', hostKey: 'SHA256:x', ca: 'x' }).length, 2);
});
