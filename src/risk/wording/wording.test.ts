import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInRules } from '../defaultRules.ts';
import { defaultRiskSettings, placedFaults, riskSettingFaults } from '../settings.ts';
import { wordsOf } from './wording.ts';

const gives = { verdict: 'review' } as const;

for (const [when, en, de] of [
  ['amount > 100.50', 'When the amount is above 100.50.', 'Greift, wenn gilt: der Betrag ist größer als 100.50.'],
  [
    "not known(customer.email) and (currency in ('EUR', 'USD') or listed(block, ip))",
    'When the e-mail address is not known and (the currency is one of “EUR”, “USD” or the network address is on the block list).',
    'Greift, wenn gilt: die E-Mail-Adresse ist nicht bekannt und (die Währung ist eines von „EUR“, „USD“ oder die Netzadresse steht auf der Sperrliste).',
  ],
  [
    'distinct(card per email, 24h) >= 8',
    'When the number of different cards with this e-mail address within 1 day is at least 8.',
    'Greift, wenn gilt: die Anzahl verschiedener Karten mit dieser E-Mail-Adresse innerhalb von 1 Tag ist mindestens 8.',
  ],
  [
    'share(bin, 10m, failed) > 30 and age(registration) < 1h',
    'When the share, in percent, of failed attempts with cards of this BIN within 10 minutes is above 30 and the age of the stored details is below 1 hour.',
    'Greift, wenn gilt: der Anteil der gescheiterten Versuche mit Karten dieser BIN innerhalb von 10 Minuten, in Prozent, ist größer als 30 und das Alter der gespeicherten Daten ist kleiner als 1 Stunde.',
  ],
  [
    "not (risk.parameters[basket] = 'gift')",
    'When not (risk.parameters[basket] is “gift”).',
    'Greift, wenn gilt: nicht (risk.parameters[basket] ist „gift“).',
  ],
] as const) {
  test(`in words: ${when}`, () => {
    assert.equal(wordsOf({ when, gives }, 'en')?.when, en);
    assert.equal(wordsOf({ when, gives }, 'de')?.when, de);
  });
}

test('what happens then is said with its code and score', () => {
  const said = (more: object) => wordsOf({ when: 'amount > 1.00', gives: { verdict: 'decline', ...more } as never }, 'en')?.gives;
  assert.equal(
    said({ code: '800.120.200', score: -5 }),
    'The payment is declined with 800.120.200, and its score changes by −5.',
  );
  assert.equal(said({}), 'The payment is declined with 100.400.319.');
});

test('every built-in rule can be said, and what cannot be read is not', () => {
  const limits = { EUR: { amountMax: '5.00', cardDayMax: '9.00' } };
  for (const rule of builtInRules({ ...defaultRiskSettings, limits }))
    for (const language of ['en', 'de'] as const)
      assert.doesNotMatch(wordsOf(rule, language)?.when ?? '()', /undefined|\(\)/, rule.id);
  assert.equal(wordsOf({ when: 'amount >', gives }, 'en'), null);
});

test('every fault has its place, and no fault of the setting is left out', () => {
  const good = { id: 'a', says: 's', when: 'amount > 1.00', gives, mode: 'on' };
  const risk = {
    mode: 'loud',
    rules: [good, { ...good, when: 'amount >' }, 3],
    ruleSets: { shop: [{ ...good, mode: 'maybe' }] },
    unknown: 1,
  };
  const places = placedFaults(risk).map(({ place, character }) => [place, character]);
  assert.deepEqual(places, [
    ['mode', null],
    ['rules.1', 9],
    ['rules.2', null],
    ['rules', null],
    ['ruleSets.shop.0', null],
    ['unknown', null],
  ]);
  assert.equal(places.length, riskSettingFaults(risk).length);
  assert.deepEqual(
    placedFaults([]).map(({ place }) => place),
    [''],
  );
  assert.deepEqual(
    placedFaults({ rules: 1 }).map(({ place }) => place),
    ['rules'],
  );
  assert.deepEqual(
    placedFaults({ ruleSets: 1 }).map(({ place }) => place),
    ['ruleSets'],
  );
  assert.deepEqual(placedFaults({ mode: 'on', rules: [good] }), []);
});
