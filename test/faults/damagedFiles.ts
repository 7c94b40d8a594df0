import fc from 'fast-check';

/** Valid settlement files of acquirers, and damage after their first line. */

/** A line in terms that all formats have: the payment and the settled amount. */
export type Line = { readonly paymentId: string; readonly amount: string; readonly fee: string };

const HEAD =
  'ReconciliationType;PaymentType;Cashflow;ClearingInstituteMerchantId;ClearingInstituteName;Amount;Currency;SettlementAmount;' +
  'SettlementCurrency;SettlementFee;SettlementDate;SettlementTxId;UniqueID;Descriptor\n';

const csv = (lines: readonly Line[], day: string, mark: string): string =>
  HEAD +
  lines
    .map(
      ({ paymentId, amount, fee }, at) =>
        `SETTLED;DEBIT;POS;ACQ-7;Acquirer;${amount};EUR;${amount};EUR;${fee};${day};${mark}-${at};${paymentId};"Order, ""${at}"""\n`,
    )
    .join('');

const camt =
  (kind: '053' | '054') =>
  (lines: readonly Line[], day: string, mark: string): string => {
    const [message, container] = kind === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'];
    const entries = lines.map(
      ({ paymentId, amount }, at) => `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${mark}-${at}</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><InstrId>${paymentId}</InstrId></Refs><RmtInf><Ustrd>Order ${at}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.08"><${message}><GrpHdr><MsgId>${mark}</MsgId></GrpHdr><${container}><Id>1</Id>
<Acct><Id><IBAN>AT611904300234573201</IBAN></Id></Acct>
${entries.join('')}</${container}></${message}></Document>`;
  };

export type Writer = (lines: readonly Line[], day: string, mark: string) => string;
export const writers: Readonly<Record<string, Writer>> = {
  'turnpike-csv': csv,
  'camt.053': camt('053'),
  'camt.054': camt('054'),
};

/** Where the lines begin. */
const bodyAt = (text: string): number =>
  Math.max(HEAD.length, text.indexOf('<Ntry>')) * Number(!text.startsWith(HEAD)) || HEAD.length;

type Damage = (bytes: Buffer, at: number, chance: number) => Buffer;
const insert =
  (what: string | Buffer): Damage =>
  (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(what as string), bytes.subarray(at)]);
const inText =
  (change: (text: string, chance: number) => string): Damage =>
  (bytes, at, chance) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(change(bytes.subarray(at).toString('latin1'), chance), 'latin1')]);

/** Each kind of damage by name; `at` is an offset after the first line. */
export const damages: Readonly<Record<string, Damage>> = {
  'cut off': (bytes, at) => bytes.subarray(0, at),
  'a byte that is no UTF-8': insert(Buffer.from([0xff])),
  'half a character': insert(Buffer.from([0xe2, 0x82])),
  'a character too long': insert(Buffer.from([0xc0, 0xaf])),
  'a surrogate': insert(Buffer.from([0xed, 0xa0, 0x80])),
  'another encoding': (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(bytes.subarray(at).toString('latin1'), 'utf16le')]),
  'a NUL': insert('\0'),
  'control characters': insert('\u0001\u0007\u0085\u2028'),
  'a line of 1 MB': insert('x'.repeat(1_048_576)),
  'a line of 1 MB in quotation marks': insert(`"${'x\n'.repeat(524_288)}"`),
  'an open quotation mark': insert('"'),
  'a carriage return': insert('\r'),
  'a flipped bit': (bytes, at, chance) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ (1 << (chance % 8));
    return copy;
  },
  'a piece missing': (bytes, at, chance) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + (chance % 40))]),
  'a piece twice': (bytes, at, chance) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 1 - (chance % 200)))]),
  'lines twice': (bytes) => {
    const text = bytes.toString('latin1');
    const [begin, end] = [bodyAt(text), text.startsWith(HEAD) ? text.length : text.lastIndexOf('</Ntry>') + 8];
    return Buffer.from(text.slice(0, end) + text.slice(begin, end) + text.slice(end), 'latin1');
  },
  'decimal commas': inText((text) => text.replace(/([0-9]+)\.([0-9]{2})/g, '$1,$2')),
  'other sums': inText((text, chance) => text.replace(/[0-9]+\.[0-9]{2}/, `${chance % 100_000}.37`)),
  'sums below zero': inText((text) => text.replace(/([0-9]+\.[0-9]{2})/, '-$1')),
  'sums beyond all bounds': inText((text) => text.replace(/[0-9]+\.[0-9]{2}/g, `${'9'.repeat(400)}.99`)),
  'columns missing': inText((text) => text.replace(/;[^;\n]*;/g, ';')),
  'columns too many': inText((text) => text.replace(/\n/g, ';;;\n')),
  formulas: inText((text) => text.replace(/Order/g, '=HYPERLINK(1)').replace(/ACQ-7/g, '@SUM(1+9)')),
  'days that are none': inText((text) => text.replace(/20[0-9]{2}-/g, '2031-02-30-')),
  'a DTD in the middle': insert('<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'),
  'an undeclared entity': insert('&lol;'),
  'an endless number of an entity': insert('&#99999999999;'),
  'elements 50,000 deep': insert('<a>'.repeat(50_000)),
  'an attribute of 1 MB': insert(`<a b="${'x'.repeat(1_048_576)}">`),
  '20,000 attributes': insert(`<a ${Array.from({ length: 20_000 }, (_, at) => `a${at}="1"`).join(' ')}>`),
  'a tag that was never opened': insert('</Absent>'),
  'an instruction': insert('<?php echo 1 ?>'),
  'a section without end': insert('<![CDATA['),
};

export const anyDamage = fc.record({
  format: fc.constantFrom(...Object.keys(writers)),
  damage: fc.constantFrom(...Object.keys(damages)),
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  chance: fc.nat(),
});

/** Damages the file at an offset after its first line. */
export function damaged(
  text: string,
  name: string,
  { place, chance }: { readonly place: number; readonly chance: number },
): Buffer {
  const bytes = Buffer.from(text);
  const begin = bodyAt(text);
  return (damages[name] ?? ((same) => same))(bytes, begin + Math.floor(place * (bytes.length - begin)), chance);
}
