import type { EntryView } from '../../../spec/answers/risk.ts';

/** Which text names a kind of entry. */
export const kindWords = {
  card: 'kindCard',
  bin: 'kindBin',
  email: 'kindEmail',
  emailDomain: 'kindEmailDomain',
  ip: 'kindIp',
  country: 'kindCountry',
  customer: 'kindCustomer',
} as const satisfies Readonly<Record<EntryView['kind'], string>>;

/** What an entry of each kind looks like. */
export const kindExamples: Readonly<Record<EntryView['kind'], string>> = {
  card: '•••• •••• •••• ••••',
  bin: '420000',
  email: 'ann@shop.example',
  emailDomain: 'shop.example',
  ip: '203.0.113.0/24',
  country: 'DE',
  customer: 'customer-7',
};
