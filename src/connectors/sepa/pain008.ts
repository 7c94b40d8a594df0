import { sepaText } from './characters.ts';
import type { Amendment } from './mandates.ts';
import {
  account,
  agent,
  amountElement,
  type Collection,
  type DebitVersion,
  type Heading,
  NAME_MAX,
  type OwnAccount,
  party,
  paymentIdElement,
  remittanceElement,
  writeMessage,
} from './messages.ts';
import { element, type XmlElement } from './xml.ts';

export type Creditor = OwnAccount & { readonly creditorId: string };

/** The file of a batch of collections: one part for each due date, sequence and scheme. */
export const writeCollections = (
  version: DebitVersion,
  heading: Heading,
  creditor: Creditor,
  collections: readonly Collection[],
): string =>
  writeMessage(collections, {
    version,
    heading,
    own: creditor,
    message: 'CstmrDrctDbtInitn',
    method: 'DD',
    keyOf: ({ dueOn, sequence, scheme }) => `${dueOn} ${sequence} ${scheme}`,
    partOf: (members) => [
      element('PmtTpInf', [
        element('SvcLvl', [element('Cd', 'SEPA')]),
        element('LclInstrm', [element('Cd', members[0].scheme)]),
        element('SeqTp', members[0].sequence),
      ]),
      element('ReqdColltnDt', members[0].dueOn),
      party('Cdtr', creditor),
      account('CdtrAcct', creditor.iban),
      agent('CdtrAgt', creditor.bic, version),
      element('ChrgBr', 'SLEV'),
      element('CdtrSchmeId', [schemeId(creditor.creditorId)]),
      ...members.map((one) => collectionElement(version, one)),
    ],
  });

const schemeId = (creditorId: string): XmlElement =>
  element('Id', [
    element('PrvtId', [element('Othr', [element('Id', creditorId), element('SchmeNm', [element('Prtry', 'SEPA')])])]),
  ]);

function collectionElement(version: DebitVersion, one: Collection): XmlElement {
  const { id, amount, mandate, amendment, iban, bic, remittance } = one;
  return element('DrctDbtTxInf', [
    paymentIdElement(id),
    amountElement(amount),
    element('DrctDbtTx', [
      element('MndtRltdInf', [
        element('MndtId', mandate.id),
        element('DtOfSgntr', mandate.signedOn),
        element('AmdmntInd', String(amendment !== null)),
        amendment && amendmentElement(amendment),
      ]),
    ]),
    agent('DbtrAgt', bic, version),
    party('Dbtr', one),
    account('DbtrAcct', iban),
    remittanceElement(remittance),
  ]);
}

function amendmentElement(amendment: Amendment): XmlElement {
  const { originalId, originalCreditorId, originalCreditorName, isOtherAccount } = amendment;
  const isOtherCreditor = originalCreditorId !== undefined || originalCreditorName !== undefined;
  return element('AmdmntInfDtls', [
    originalId === undefined ? null : element('OrgnlMndtId', originalId),
    isOtherCreditor
      ? element('OrgnlCdtrSchmeId', [
          originalCreditorName === undefined ? null : element('Nm', sepaText(originalCreditorName, NAME_MAX)),
          originalCreditorId === undefined ? null : schemeId(originalCreditorId),
        ])
      : null,
    isOtherAccount ? element('OrgnlDbtrAcct', [element('Id', [element('Othr', [element('Id', 'SMNDA')])])]) : null,
  ]);
}
