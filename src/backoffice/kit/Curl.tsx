import type { ReactNode } from 'react';
import { Copy } from './Id.tsx';

/** A command for the terminal, to be copied. */
export function Curl({ text, label }: { readonly text: string; readonly label?: string }): ReactNode {
  return (
    <figure className="curl">
      {label && <figcaption>{label}</figcaption>}
      <div className="curl-box">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a part that scrolls */}
        <pre tabIndex={0}>{text}</pre>
        <Copy text={text} />
      </div>
    </figure>
  );
}

/** The beginning of a line for the terminal; the sandbox's merchant and token are public. */
export const sandboxCurl = (url: string, ...fields: readonly string[]): string =>
  [
    `curl ${url}`,
    '-H "Authorization: Bearer NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v"',
    '-d entityId=5eed0000000000000000000000000001',
    ...fields,
  ].join(' \\\n  ');

export const SANDBOX_CARD =
  '-d paymentBrand=VISA -d card.number=4200000000000000 -d card.holder="Ann Example" -d card.expiryMonth=05 -d card.expiryYear=2034';
