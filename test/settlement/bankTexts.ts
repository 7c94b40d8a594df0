/** Files of a bank as texts. */

export const IBAN = 'DE89370400440532013000';

const DAY_MS = 86_400_000;

/** So many days from today, as the bank writes it. */
export const dayAfter = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

type Detail = {
  readonly id?: string;
  readonly amount?: string;
  readonly booked?: string;
  readonly reason?: string;
  readonly charges?: string;
};

export type BankEntry = {
  readonly amount: string;
  readonly sign: 'CRDT' | 'DBIT';
  /** The family and the kind within it: `IDDT/ESDD`. */
  readonly code: string;
  readonly ref?: string;
  readonly on?: string;
  readonly isReversed?: true;
  readonly batchId?: string;
  readonly messageId?: string;
  readonly details?: readonly Detail[];
};

const detailText = ({ id, amount, booked, reason, charges }: Detail): string =>
  `<TxDtls><Refs>${id === undefined ? '' : `<EndToEndId>${id}</EndToEndId>`}</Refs>${
    booked === undefined ? '' : `<Amt Ccy="EUR">${booked}</Amt>`
  }${amount === undefined ? '' : `<AmtDtls><InstdAmt><Amt Ccy="EUR">${amount}</Amt></InstdAmt></AmtDtls>`}${
    charges === undefined ? '' : `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">${charges}</TtlChrgsAndTaxAmt></Chrgs>`
  }${reason === undefined ? '' : `<RtrInf><Rsn><Cd>${reason}</Cd></Rsn></RtrInf>`}</TxDtls>`;

function entryText({ amount, sign, code, ref = 'REF', on = dayAfter(2), ...rest }: BankEntry): string {
  const [family, kind] = code.split('/');
  const { batchId, messageId, details = [], isReversed } = rest;
  const batch = batchId === undefined && messageId === undefined ? '' : batchText(messageId, batchId);
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>${isReversed ? '<RvslInd>true</RvslInd>' : ''}
<Sts>BOOK</Sts><BookgDt><Dt>${on}</Dt></BookgDt><ValDt><Dt>${on}</Dt></ValDt><AcctSvcrRef>${ref}</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${kind}</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls>${batch}${details.map(detailText).join('\n')}</NtryDtls></Ntry>`;
}

const batchText = (messageId?: string, batchId?: string): string =>
  `<Btch>${messageId === undefined ? '' : `<MsgId>${messageId}</MsgId>`}${batchId === undefined ? '' : `<PmtInfId>${batchId}</PmtInfId>`}<NbOfTxs>2</NbOfTxs></Btch>`;

const messages = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

/** A report of the day (052), a statement (053) or a notification (054). `mark` makes the bytes differ. */
export function camtText(kind: '052' | '053' | '054', entries: readonly BankEntry[], { iban = IBAN, mark = '1' } = {}): string {
  const [message, container] = messages[kind];
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.08"><${message}><GrpHdr><MsgId>B-${mark}</MsgId></GrpHdr>
<${container}><Id>${mark}</Id><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>
${entries.map(entryText).join('\n')}
</${container}></${message}></Document>`;
}

export type StatusText = {
  readonly messageId: string;
  readonly group?: string;
  readonly groupReason?: string;
  readonly batches?: readonly {
    readonly id: string;
    readonly status?: string;
    readonly reason?: string;
    readonly transactions?: readonly { readonly id: string; readonly status: string; readonly reason?: string }[];
  }[];
  readonly mark?: string;
  readonly version?: string;
};

const reasonText = (reason?: string): string =>
  reason === undefined ? '' : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn><AddtlInf>as it says</AddtlInf></StsRsnInf>`;

/** A payment status report. */
export const statusText = ({ messageId, group, groupReason, batches = [], mark = '1', version = '10' }: StatusText): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt>
<GrpHdr><MsgId>S-${mark}</MsgId><CreDtTm>2031-10-01T10:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.008.001.08</OrgnlMsgNmId>${
    group === undefined ? '' : `<GrpSts>${group}</GrpSts>`
  }${reasonText(groupReason)}</OrgnlGrpInfAndSts>
${batches
  .map(
    ({ id, status, reason, transactions = [] }) =>
      `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${id}</OrgnlPmtInfId>${status === undefined ? '' : `<PmtInfSts>${status}</PmtInfSts>`}${reasonText(reason)}
${transactions
  .map(
    (one) =>
      `<TxInfAndSts><OrgnlInstrId>${one.id}</OrgnlInstrId><OrgnlEndToEndId>${one.id}</OrgnlEndToEndId><TxSts>${one.status}</TxSts>${reasonText(one.reason)}<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">12.00</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>`,
  )
  .join('\n')}</OrgnlPmtInfAndSts>`,
  )
  .join('\n')}
</CstmrPmtStsRpt></Document>`;
