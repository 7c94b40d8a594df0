import { labelsFor } from '../labels/challengeLabels.ts';
import { decodeMethodData, encodeMessage } from '../messages/codec.ts';
import { errorPage } from './issuerPages.ts';
import { ANY_ANCESTOR, isAllowed, type Page, pageOf, sendScript, sentForm } from './page.ts';

type MethodCall = {
  readonly threeDSMethodData: string | undefined;
  readonly isSilent: boolean;
  /** The origins that may be notified; null: any. */
  readonly origins: readonly string[] | null;
};

/**
 * The issuer's 3DS method page of the sandbox. It posts the id to the notification URL of the method data; a silent one posts nothing.
 */
export function methodPage({ threeDSMethodData, isSilent, origins }: MethodCall): {
  readonly status: 200 | 400;
  readonly page: Page;
} {
  const data = decodeMethodData(threeDSMethodData ?? '');
  const url = data?.threeDSMethodNotificationURL ?? '';
  const id = data?.threeDSServerTransID;
  const isOk = id !== undefined && /^[0-9a-f-]{36}$/i.test(id) && isAllowed(url, origins);
  if (!isOk) return { status: 400, page: errorPage('en') };
  const title = labelsFor('en').moment;
  if (isSilent) return { status: 200, page: pageOf({ language: 'en', title, body: `<p>${title}</p>`, ancestors: ANY_ANCESTOR }) };
  const value = encodeMessage({ threeDSServerTransID: id });
  const body = sentForm({ url, parameters: [{ name: 'threeDSMethodData', value }] }, labelsFor('en').goOn);
  return {
    status: 200,
    page: pageOf({ language: 'en', title, body, script: sendScript, formTargets: [url], ancestors: ANY_ANCESTOR }),
  };
}

/** The empty page of the hidden frame after the notification. */
export const methodDonePage = (): Page => pageOf({ language: 'en', title: 'ok', body: '<p>ok</p>', ancestors: ANY_ANCESTOR });
