import { FEW_FIELDS } from '../form/nest.ts';
import type { Channel } from '../merchants/channel.ts';
import type { Issuer } from '../risk/facts.ts';
import type { Lookups } from '../risk/ports.ts';
import { testMerchantAccount } from '../spec/cards/testCards.ts';
import { namesOf, setField } from '../spec/longJson.ts';
import type { Order } from './order.ts';

/** What the gateway itself adds to the fields of an answer, by the names of the API. */
type Fields = Readonly<Record<string, string>>;

/** The issuer's data about a card, as far as the table of BINs has it. */
function issuerFields({ instrument }: Order, lookups: Lookups): Fields {
  const issuer = instrument?.kind === 'card' && instrument.bin !== null ? lookups.issuer(instrument.bin) : null;
  return issuer === null ? NONE : (byIssuer.get(issuer) ?? fieldsAbout(issuer));
}

const NONE: Fields = {};

/** The table of BINs has one object for each issuer. */
const byIssuer = new WeakMap<Issuer, Fields>();

function fieldsAbout(issuer: Issuer): Fields {
  const { bank, phone, website, type, level, isRegulated, country } = issuer;
  const fields = present({
    'card.issuer.bank': bank,
    'card.issuer.phone': phone,
    'card.issuer.website': website,
    'card.type': type,
    'card.level': level,
    'card.regulatedFlag': isRegulated === undefined ? null : String(isRegulated),
    'card.binCountry': country,
  });
  byIssuer.set(issuer, fields);
  return fields;
}

/** The account that the shopper pays to by prepayment. Without a setting the test environment has one, and live has none. */
function merchantAccountFields({ method, mode, paymentType, paymentBrand }: Order, { bankAccount }: Channel): Fields {
  if (method !== 'PP' || paymentBrand === null || !['PA', 'DB'].includes(paymentType)) return NONE;
  const account = bankAccount ?? (mode === 'LIVE' ? null : testMerchantAccount);
  if (account === null) return NONE;
  return present(Object.fromEntries(Object.entries(account).map(([name, text]) => [`merchant.bankAccount.${name}`, text])));
}

/** The texts are copied: they are slices of a table, which JSON.stringify takes three times as long for. */
const present = (fields: Readonly<Record<string, string | null | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, text]) => (text ? [[name, Buffer.from(text).toString()]] : [])));

/** The fields of an order with what is known beyond the request. What was sent stays. */
export const withKnownFields = (order: Order, channel: Channel, lookups: Lookups): Fields => {
  const ofIssuer = issuerFields(order, lookups);
  const ofAccount = merchantAccountFields(order, channel);
  if (ofAccount === NONE && ofIssuer === NONE) return order.fields;
  if (namesOf(order.fields).length > FEW_FIELDS) return addTo(order.fields, { ...ofIssuer, ...ofAccount });
  return ofAccount === NONE ? { ...ofIssuer, ...order.fields } : { ...ofIssuer, ...ofAccount, ...order.fields };
};

/** In place: a copy of a long form takes tens of milliseconds, and the order alone has these fields. */
function addTo(fields: Record<string, string>, known: Fields): Fields {
  for (const name in known) if (!Object.hasOwn(fields, name)) setField(fields, name, known[name] as string);
  return fields;
}
