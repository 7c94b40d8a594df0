import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../src/form/check.ts';
import type { Context } from '../src/form/checked.ts';
import { decode } from '../src/form/decode.ts';
import { type EndpointName, paymentSections } from '../src/spec/endpoints.ts';
import { mapKeys, type SectionName, sections } from '../src/spec/parameters.ts';
import type { Row } from '../src/spec/row.ts';
import { reportFigure } from './figures.ts';
import { baseFor, nameOf, narrowed } from './parameterRequests.ts';
import { bodyOf, type Fields } from './requests.ts';

/**
 * Every parameter of the catalogue, inside a request that is right but for it, with every text that its format must refuse and
 * every text that it must take. What is expected comes from the rows, never from what the checker answers.
 */
const shop = { isLenient: false, source: 'server', environment: 'test' } as const;
const checkout: Context = { ...shop, sections: ['basic', 'tokenization', 'card', 'authentication'], required: ['amount'] };
const onlyInCheckouts = /^overridePaymentType\[/;

/** What an endpoint leaves out of the request whatever it says, and what it refuses whatever it says. */
type ServerContext = {
  readonly ignores: RegExp;
  readonly refuses: RegExp;
  readonly base: (fields: Fields, name: string) => Fields;
};

const instrument =
  /^(?:card\.(?:number|expiry)|bankAccount\.(?!holder|mandate)|virtualAccount|wallet|tokenAccount\.(?:number|type|expiry))/;
const entryPoints = {
  pay: { ignores: /^overrideHolder$/, refuses: /^$/, base: (fields) => fields },
  register: {
    ignores: /^(?:amount|currency|paymentType|createRegistration|sequence|numberOfCaptures|overrideHolder)$/,
    refuses: /^(?:referenceUuid|overridePaymentType\[)/,
    base: (fields, name) => ({
      ...fields,
      referenceUuid: null,
      ...(name.startsWith('virtualAccount') ? {} : fields.paymentBrand === 'PAYPAL' ? { 'virtualAccount.accountId': 'ann' } : {}),
    }),
  },
  payRegistered: {
    ignores: /^(?:paymentBrand|createRegistration)$/,
    refuses: new RegExp(`${instrument.source}|^(?:recurringMigration|overridePaymentType\\[)`),
    base: (fields, name) => ({
      ...Object.fromEntries(Object.entries(fields).filter(([sent]) => !instrument.test(sent) && !sent.startsWith('recurringM'))),
      overrideHolder: name.endsWith('.holder') ? 'true' : null,
    }),
  },
} satisfies Partial<Record<EndpointName, ServerContext>>;

type EntryPointName = keyof typeof entryPoints;

/** How clients write a flag, in the languages that they are written in. */
const spellings: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...['true', 'True', 'TRUE', '1', 'on', 'On', 'ON', 'yes', 'Yes', 'YES', 'y', 'Y'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE', '0', 'off', 'Off', 'OFF', 'no', 'No', 'NO', 'n', 'N'].map((word) => [word, false] as const),
]);

/** What a spelling becomes in a row of a flag; null: the row is none, or the text no spelling of one. */
function flagMeant({ format: { good } }: Row<unknown>, text: string): string | null {
  const isSet = Object.hasOwn(spellings, text) ? spellings[text] : undefined;
  if (isSet === undefined) return null;
  if (good.includes('true') && good.includes('false')) return String(isSet);
  return good.length === 2 && good.includes('Y') && good.includes('N') ? (isSet ? 'Y' : 'N') : null;
}

type Subject = {
  readonly rowName: string;
  readonly row: Row<unknown>;
  readonly name: string;
  readonly context: Context;
  readonly entryPoint: EntryPointName;
};

function subjectsOf(section: SectionName, entryPoint: EntryPointName = 'pay'): readonly Subject[] {
  return Object.entries(sections[section].rows).map(([rowName, row]) => {
    const name = nameOf(rowName);
    const isOfCheckout = entryPoint === 'pay' && onlyInCheckouts.test(rowName);
    return { rowName, row, name, entryPoint, context: isOfCheckout ? checkout : { ...shop, endpoint: entryPoint } };
  });
}

const isIgnored = ({ name, entryPoint }: Subject): boolean => entryPoints[entryPoint].ignores.test(name);
const isRefusedAlways = ({ name, entryPoint }: Subject): boolean => entryPoints[entryPoint].refuses.test(name);

function isLegal({ rowName, row }: Subject, text: string): boolean {
  const { pattern, parse } = row.format;
  return pattern.test(text) && parse(text) !== undefined && (narrowed[rowName]?.like.test(text) ?? true);
}

const goodOf = ({ rowName, row }: Subject): readonly string[] => narrowed[rowName]?.good ?? row.format.good;

/** The request with this parameter last, its text as the raw bytes of the body. */
function bodyWith({ name, entryPoint }: Subject, raw: string, { as = name, text = '' } = {}): Uint8Array {
  const base = entryPoints[entryPoint].base(baseFor(name, text), name);
  return Buffer.from(`${bodyOf(base, { [name]: null })}&${encodeURIComponent(as)}=${raw}`, 'latin1');
}

let tried = 0;

/** The signs of a regular expression. Brackets may stand in the name of another parameter. */
const PATTERN = /[\\^$*?{}|]|(?<!\w)\[|\(\?/;

function namesOf(body: Uint8Array, context: Context): readonly string[] {
  tried += 1;
  const outcome = check(decode(body), context);
  if (outcome.is === 'checked') return [];
  for (const { name, message } of outcome.faults) assert.doesNotMatch(message, PATTERN, `${name}: ${message}`);
  return outcome.faults.map(({ name }) => name);
}

const HINT = 'If a right request with it needs other parameters too, `bases` of test/parameterRequests.ts says which.';

function expect(subject: Subject, text: string, what: string): void {
  const faulty = namesOf(bodyWith(subject, encodeURIComponent(text), { text }), subject.context);
  const about = `${subject.entryPoint}: ${subject.name}, ${what}: ${JSON.stringify(text.slice(0, 80))}`;
  if (isIgnored(subject) || (isLegal(subject, text) && !isRefusedAlways(subject))) {
    if (faulty.length > 0) assert.fail(`${about} is answered with faults of ${faulty.join(', ')}. ${HINT}`);
  } else assert.ok(faulty.includes(subject.name), `${about} was not refused`);
}

const fullWidth = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)) + (/[0-9]/.test(text) ? '' : '\uFF11');

/** Lengths as the document words them: `N 8-32`, `AN 1-255`, `AN 0-50`. */
function beyondLength({ row }: Subject): readonly string[] {
  const [, code, least = '', most = ''] = /^(AN|N|A) ([0-9]+)-([0-9]+)/.exec(row.format.label) ?? [];
  if (code === undefined) return [];
  const long = (length: number): string => (code === 'N' ? '4' : 'a').repeat(length);
  const short = [...(row.format.good[0] ?? '')].slice(0, Number(least) - 1).join('');
  return [long(Number(most) + 1), long(Number(most) * 10), ...(short === '' ? [] : [short])];
}

for (const section of paymentSections) {
  test(`${sections[section].heading}: what the rows give as good and bad`, () => {
    for (const subject of subjectsOf(section)) {
      const good = goodOf(subject);
      for (const text of good) {
        assert.ok(isLegal(subject, text), `${subject.name}: ${text} is given as good`);
        expect(subject, text, 'good');
      }
      for (const text of subject.row.format.bad) {
        assert.ok(!isLegal(subject, text), `${subject.name}: ${text} is given as bad`);
        expect(subject, text, 'bad');
      }
      for (const text of beyondLength(subject)) {
        assert.ok(!isLegal(subject, text), `${subject.name}: ${text.length} characters against ${subject.row.format.label}`);
        expect(subject, text, 'length');
      }
    }
  });

  test(`${sections[section].heading}: mutants of a good value`, () => {
    for (const subject of subjectsOf(section)) {
      const [text = ''] = goodOf(subject);
      for (const mutant of [`${text}\0`, `\0${text}`, `${text}\u0007`, `${text}\u202E`, `\u2066${text}`]) {
        assert.ok(!isLegal(subject, mutant), `${subject.name} takes ${JSON.stringify(mutant)}`);
        expect(subject, mutant, 'control');
      }
      const doubtful = [`${text}\r\n`, `${text}\n`, ` ${text}`, `${text} `, fullWidth(text), `${text}\u00A0`, `${text}\u200B`];
      for (const mutant of doubtful) expect(subject, mutant, 'mutant');
    }
  });

  test(`${sections[section].heading}: broken bytes, repeated and misshapen names, empty values`, () => {
    for (const subject of subjectsOf(section)) {
      const [text = ''] = goodOf(subject);
      const { name, context } = subject;
      const value = encodeURIComponent(text);
      for (const bytes of ['%ED%A0%80', '%ED%BF%BF', '%C0%80', '%C1%BF', '%E0%80%AF', '\xC0\x80', '\xFF', '%', '%4', '%GG']) {
        const faulty = namesOf(bodyWith(subject, value + bytes, { text }), context);
        assert.ok(faulty.includes(name.slice(0, 64)), `${name} with ${JSON.stringify(bytes)}: ${faulty}`);
      }
      const again = namesOf(bodyWith(subject, `${value}&${encodeURIComponent(name)}=${value}`, { text }), context);
      assert.ok(again.includes(name), `${name} twice: ${again}`);
      for (const shape of [`${name}[0]`, `${name}[key]`, `${name}[]`]) {
        const faulty = namesOf(bodyWith(subject, value, { as: shape, text }), context);
        assert.ok(faulty.includes(shape), `${shape}: ${faulty}`);
      }
      const without = Buffer.from(
        bodyWith(subject, '', { text })
          .toString()
          .replace(/&[^&]*$/, ''),
      );
      assert.deepEqual(namesOf(bodyWith(subject, '', { text }), context), namesOf(without, context), `${name} empty`);
    }
  });

  test(`${sections[section].heading}: a lenient channel is lenient where a row says so`, () => {
    for (const subject of subjectsOf(section)) {
      for (const text of subject.row.format.bad) {
        const faulty = namesOf(bodyWith(subject, encodeURIComponent(text), { text }), { ...subject.context, isLenient: true });
        const isPrintable = !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(text) && [...text].length <= 2048;
        const about = `${subject.name}: ${JSON.stringify(text.slice(0, 80))}`;
        const isOther = (subject.row.lenientFormat?.pattern.test(text) ?? false) || flagMeant(subject.row, text) !== null;
        if (isIgnored(subject) || isOther || (subject.row.lenient && isPrintable)) assert.deepEqual(faulty, [], about);
        else assert.ok(faulty.includes(subject.name), `${about} was not refused`);
      }
    }
  });
}

type FlagRequest = {
  readonly name: string;
  readonly row: Row<unknown>;
  readonly context: Context;
  readonly bodyFor: (word: string) => Uint8Array;
};

const isFlag = (row: Row<unknown>): boolean => flagMeant(row, 'true') !== null;
const flagOf = (subject: Subject): FlagRequest => ({
  ...subject,
  bodyFor: (word) => bodyWith(subject, word, { text: subject.row.format.good[0] ?? '' }),
});

/** Flags of requests that take no payment, in the words that make the request right but for them. */
const elsewhere = { query: 'date.from=2027-01-01 00:00:00&date.to=2027-01-02 00:00:00' } as const;

const flags: readonly FlagRequest[] = [
  ...paymentSections.flatMap((section) =>
    subjectsOf(section)
      .filter((one) => isFlag(one.row) && !isIgnored(one))
      .map(flagOf),
  ),
  ...(['query', 'queryOne', 'findPayments', 'queryRecords', 'queryRecord'] as const).flatMap((endpoint) =>
    Object.entries<Row<unknown>>(sections.query.rows)
      .filter(([, row]) => isFlag(row))
      .map(([name, row]) => {
        const head = `entityId=${'0'.repeat(32)}&${endpoint.endsWith('One') || endpoint === 'queryRecord' ? '' : `${elsewhere.query}&`}`;
        const context: Context = { ...shop, endpoint };
        return { name, row, context, bodyFor: (word: string) => Buffer.from(`${head}${name}=${word}`) };
      }),
  ),
];

test('a flag in every spelling of known clients: one value on a lenient channel, refused on a strict one', () => {
  let count = 0;
  for (const { name, row, context, bodyFor } of flags) {
    for (const word of Object.keys(spellings)) {
      const [body, meant] = [bodyFor(word), flagMeant(row, word)];
      const taken = check(decode(body), { ...context, isLenient: true });
      assert.ok(taken.is === 'checked', `${name}=${word}: ${JSON.stringify(taken)}`);
      assert.equal(taken.fields.get(name), meant, `${name}=${word}`);
      const strictly = check(decode(body), { ...context, isLenient: false });
      if (row.format.good.includes(word)) assert.equal(strictly.is === 'checked' && strictly.fields.get(name), meant);
      else assert.ok(namesOf(Buffer.from(body), context).includes(name), `${name}=${word} on a strict channel`);
      count += 1;
    }
  }
  assert.ok(count >= 400, String(count));
});

test('every flag of the catalogue is among those', () => {
  const all = Object.values(sections).flatMap(({ rows }) =>
    Object.entries<Row<unknown>>(rows).flatMap(([name, row]) => (isFlag(row) ? [nameOf(name)] : [])),
  );
  const tried = new Set(flags.map(({ name }) => name));
  assert.deepEqual(
    all.filter((name) => !tried.has(name) && !entryPoints.pay.ignores.test(name)),
    [],
  );
  assert.ok(tried.has('integrity') && tried.has('includeLinkedTransactions'));
});

for (const entryPoint of ['register', 'payRegistered'] as const) {
  for (const section of paymentSections) {
    test(`${entryPoint}, ${sections[section].heading}: what the rows give as good and bad`, () => {
      for (const subject of subjectsOf(section, entryPoint)) {
        for (const text of goodOf(subject)) expect(subject, text, 'good');
        for (const text of subject.row.format.bad) expect(subject, text, 'bad');
        const [text = ''] = goodOf(subject);
        for (const mutant of [`${text}\0`, `${text}\r\n`, ` ${text}`, fullWidth(text)]) expect(subject, mutant, 'mutant');
      }
    });
  }

  test(`${entryPoint}: what is not read is not in the request either`, () => {
    let seen = 0;
    for (const subject of paymentSections.flatMap((section) => subjectsOf(section, entryPoint)).filter(isIgnored)) {
      const outcome = check(decode(bodyWith(subject, 'anything')), subject.context);
      assert.ok(outcome.is === 'checked' && !outcome.fields.has(subject.name), subject.name);
      seen += 1;
    }
    assert.ok(seen >= 2);
  });
}

test('indexes and keys', () => {
  for (const subject of paymentSections.flatMap((section) => subjectsOf(section))) {
    const [text = ''] = goodOf(subject);
    const value = encodeURIComponent(text);
    const key = mapKeys[subject.rowName];
    const strange = ['1001', '01', '-1', 'x', '', '99999', '1.0', ' 1', '0x1', '\uFF11'];
    const shapes = key
      ? key.bad.map((bad) => subject.rowName.replace(/\[[a-z]+\]/, `[${bad}]`))
      : strange.flatMap((index) =>
          subject.rowName.includes('[n]') ? [subject.rowName.replace('[n]', `[${index}]`).replace('[n]', '[0]')] : [],
        );
    for (const shape of shapes) {
      const faulty = namesOf(bodyWith(subject, value, { as: shape, text }), subject.context);
      const shown = shape.replace(/[\p{C}]/gu, '?');
      assert.ok(faulty.includes(shown), `${JSON.stringify(shape)}: ${faulty}`);
    }
  }
});

test('there are as many cases as there should be', () => {
  assert.ok(tried >= 20_000, `${tried} cases`);
  reportFigure('R37', 'cases', tried);
});
