import { labelsFor } from '../labels/challengeLabels.ts';
import { decodeMethodData, encodeMessage } from '../messages/codec.ts';
import { errorPage } from './endPage.ts';
import { ANYBODY, isAllowed, type Page, pageOf, sentForm } from './page.ts';
import { sendScript } from './styles.ts';

type Called = {
  readonly threeDSMethodData: string | undefined;
  readonly isSilent: boolean;
  /** The servers that may be answered to; null: any. */
  readonly origins: readonly string[] | null;
};

/**
 * The issuer's page in the hidden frame. It looks at nothing and says that it is done, by posting the id back to where the
 * method data says; a silent one says nothing.
 */
export function methodPage({ threeDSMethodData, isSilent, origins }: Called): {
  readonly status: 200 | 400;
  readonly page: Page;
} {
  const data = decodeMethodData(threeDSMethodData ?? '');
  const url = data?.threeDSMethodNotificationURL ?? '';
  const id = data?.threeDSServerTransID;
  const isOk = id !== undefined && /^[0-9a-f-]{36}$/i.test(id) && isAllowed(url, origins);
  if (!isOk) return { status: 400, page: errorPage('en') };
  const title = labelsFor('en').moment;
  if (isSilent) return { status: 200, page: pageOf({ language: 'en', title, body: `<p>${title}</p>`, ancestors: ANYBODY }) };
  const value = encodeMessage({ threeDSServerTransID: id });
  const body = sentForm({ url, parameters: [{ name: 'threeDSMethodData', value }] }, labelsFor('en').goOn);
  return {
    status: 200,
    page: pageOf({ language: 'en', title, body, script: sendScript, formTargets: [url], ancestors: ANYBODY }),
  };
}

/** What the hidden frame shows after our side has heard of it: nothing. */
export const methodDonePage = (): Page => pageOf({ language: 'en', title: 'ok', body: '<p>ok</p>', ancestors: ANYBODY });
