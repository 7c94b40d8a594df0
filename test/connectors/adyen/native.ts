import type { Replied } from '../acquirerHttp.ts';
import type { BookedPayment } from './book.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the issuer of a card does, by the name of its holder: `native both` and so on. */
const flows = {
  /** No challenge: the fingerprint is enough. */
  frictionless: ['fingerprint'],
  challenge: ['challenge'],
  both: ['fingerprint', 'challenge'],
  /** After the fingerprint the issuer wants the shopper on a page of its own. */
  elsewhere: ['fingerprint', 'redirect'],
} as const satisfies Record<string, readonly string[]>;

export type Flow = keyof typeof flows;

export const flowIn = (directive: string): Flow | null => {
  const [, name = ''] = /^native ([a-z]+)$/.exec(directive) ?? [];
  return Object.hasOwn(flows, name) ? (name as Flow) : null;
};

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** A result as the component makes it; `of` is the authorisation token of its action. */
export const threeDSResult = (of: string, transStatus: 'Y' | 'N' = 'Y'): string =>
  base64({ transStatus, authorisationToken: of });

export type NativeAnswer =
  | { readonly is: 'action'; readonly body: Json }
  | { readonly is: 'decided'; readonly isApproved: boolean }
  | { readonly is: 'unknown' };

/** The issuers' side of native 3D Secure: which step each payment is at. */
export function createIssuers() {
  const open = new Map<string, { readonly flow: Flow; at: number }>();
  const answers = new Map<string, NativeAnswer>();

  const actionAt = (pspReference: string, flow: Flow, at: number): Json => {
    const subtype = flows[flow][at] ?? '';
    if (subtype === 'redirect') {
      const url = `https://checkoutshopper-test.adyen.com/redirect/${pspReference}`;
      return { resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'GET', url } };
    }
    const action = {
      type: 'threeDS2',
      subtype,
      paymentMethodType: 'scheme',
      paymentData: `Ab02b4c0!${pspReference}`,
      authorisationToken: `${pspReference}.${at}`,
      token: base64({ threeDSMethodNotificationURL: 'https://checkoutshopper-test.adyen.com/done', at }),
    };
    return { resultCode: subtype === 'fingerprint' ? 'IdentifyShopper' : 'ChallengeShopper', action };
  };

  return {
    /** The answer to the payment. */
    begin({ pspReference }: BookedPayment, flow: Flow): Json {
      open.set(pspReference, { flow, at: 0 });
      return actionAt(pspReference, flow, 0);
    },
    /** The answer to a result: the payment, and what is next. A result that was answered has the same answer again. */
    take(result: string): { readonly pspReference: string; readonly answer: NativeAnswer } {
      const { transStatus, authorisationToken = '' } = decoded(result);
      const [pspReference = '', at] = authorisationToken.split('.');
      const kept = open.get(pspReference);
      const before = answers.get(result);
      if (before) return { pspReference, answer: before };
      if (!kept || Number(at) !== kept.at) return { pspReference, answer: { is: 'unknown' } };
      kept.at += 1;
      const answer: NativeAnswer =
        transStatus === 'Y' && kept.at < flows[kept.flow].length
          ? { is: 'action', body: actionAt(pspReference, kept.flow, kept.at) }
          : { is: 'decided', isApproved: transStatus === 'Y' };
      answers.set(result, answer);
      return { pspReference, answer };
    },
  };
}

function decoded(result: string): { readonly transStatus?: string; readonly authorisationToken?: string } {
  try {
    return JSON.parse(Buffer.from(result, 'base64').toString('utf8')) as { transStatus?: string };
  } catch {
    return {};
  }
}

/** Stands in for Adyen Web: the same calls, with an issuer in a frame of the same server. */
const STAND_IN = `
window.AdyenWeb = {
  async AdyenCheckout(options) {
    if (!options.clientKey || !options.environment || !options.countryCode) throw new Error('incomplete');
    const files = new URL(document.querySelector('script[src$="adyen.js"]').src).origin;
    return {
      createFromAction(action, { challengeWindowSize }) {
        return {
          mount(place) {
            const frame = document.createElement('iframe');
            frame.title = 'issuer';
            frame.name = action.subtype;
            if (action.subtype === 'fingerprint') frame.style.display = 'none';
            else [frame.width, frame.height] = { '01': [250, 400], '02': [390, 400], '03': [500, 600] }[challengeWindowSize];
            addEventListener('message', ({ data, origin }) => {
              if (origin !== files || data.at !== action.authorisationToken) return;
              if (data.says === 'broken') return options.onError(new Error('broken'));
              const result = { transStatus: data.says, authorisationToken: action.authorisationToken };
              frame.remove();
              options.onAdditionalDetails({ data: { details: { threeDSResult: btoa(JSON.stringify(result)) } } });
            });
            frame.src = files + '/acs/' + action.subtype + '?at=' + encodeURIComponent(action.authorisationToken);
            place.append(frame);
          },
        };
      },
    };
  },
};
`;

const says = (word: string): string =>
  `parent.postMessage({ says: ${word}, at: new URL(location.href).searchParams.get('at') }, '*')`;

const pages: Readonly<Record<string, string>> = {
  '/acs/fingerprint': `<!doctype html><title>method</title><script>${says("'Y'")}</script>`,
  '/acs/challenge': `<!doctype html><html lang="en"><title>Your bank</title><meta name="viewport" content="width=device-width">
<body style="font: 16px system-ui; background: #fff; color: #14181f"><h1 style="font-size: 20px">Bank of Examples</h1>
<p>Confirm your payment to the shop.</p>
<p><button value="Y">Confirm</button> <button value="N">Refuse</button> <button value="broken">Break</button></p>
<script>document.body.addEventListener('click', ({ target }) => { if (target.value) ${says('target.value')}; });</script></body></html>`,
};

const file = (type: string, body: string): Replied => ({
  status: 200,
  headers: { 'content-type': type, 'access-control-allow-origin': '*' },
  body,
});

/** The files and pages that a browser loads; null: none of them. */
export function browserFile(url: string): Replied | null {
  const { pathname } = new URL(url, 'http://server');
  if (pathname.endsWith('/adyen.js')) return file('text/javascript', STAND_IN);
  if (pathname.endsWith('/adyen.css')) return file('text/css', '.unused { color: inherit; }');
  const page = pages[pathname];
  return page === undefined ? null : file('text/html; charset=utf-8', page);
}
