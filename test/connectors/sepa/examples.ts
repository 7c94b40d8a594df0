import { addTargetDays, nextTargetDay } from '../../../src/connectors/sepa/calendar.ts';
import { creditorCheckDigits } from '../../../src/connectors/sepa/mandates.ts';
import type { Collection, Creditor, Transfer } from '../../../src/connectors/sepa/messages.ts';
import type { Chance } from '../../simulation/chance.ts';

export const creditor: Creditor = {
  name: 'Müller & Söhne Versandhandel',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  creditorId: 'DE98ZZZ09999999999',
};

/** A German account number with right check digits. */
export function germanIban(bankAccount: string): string {
  const check = 98n - (BigInt(`${bankAccount}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bankAccount}`;
}

const names = [
  'Ann Example',
  'Jürgen Groß',
  'Łukasz Żółć',
  "Seán O'Brien",
  'Παύλος Γεωργίου',
  '<&>"',
  'x'.repeat(200),
  '日本 太郎',
];
const remittances = ['order 10017', 'Bestellung Nr. 5 / Größe "L"', '', 'y'.repeat(300), '\u0000\t\n', '& co'];

export function randomTransfer(chance: Chance): Transfer {
  const isAbroad = chance.hits(0.2);
  return {
    id: chance.hex(32),
    amount: BigInt(chance.pick([1, 99_999_999_999, chance.between(1, 500_000)])),
    dueOn: addTargetDays(nextTargetDay('2026-11-17'), chance.below(4)),
    name: chance.pick(names),
    iban: germanIban(`37040044${chance.hex(10).replace(/\D/g, '0')}`),
    bic: isAbroad ? 'MARKDEFF' : null,
    address: isAbroad
      ? { street: 'Bahnhofstraße', building: chance.pick(['5a', null]), postcode: '8001', town: 'Zürich', country: 'CH' }
      : null,
    remittance: chance.pick(remittances),
  };
}

export function randomCollection(chance: Chance): Collection {
  return {
    ...randomTransfer(chance),
    sequence: chance.pick(['FRST', 'RCUR', 'OOFF', 'FNAL']),
    scheme: chance.pick(['CORE', 'B2B']),
    mandate: { id: `M-${chance.hex(20)}`, signedOn: '2026-02-28' },
    amendment: chance.pick([
      null,
      null,
      { isOtherAccount: true },
      { originalId: 'OLD-1' },
      { originalCreditorId: `AT${creditorCheckDigits('AT', '01234567890')}ZZZ01234567890`, originalCreditorName: 'Früher GmbH' },
    ]),
  };
}
