import { type ReactNode, useId, useState } from 'react';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { Copy } from './Id.tsx';
import { Icon } from './icons.tsx';

/** A labelled button that shows and hides its content. */
export function Disclosure({
  label,
  children,
  isOpen = false,
}: {
  readonly label: ReactNode;
  readonly children: ReactNode;
  readonly isOpen?: boolean;
}): ReactNode {
  const [open, setOpen] = useState(isOpen);
  const id = useId();
  return (
    <div className="disclosure">
      <button type="button" className="quiet-button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span className="turns" data-open={open || undefined}>
          <Icon name="right" size={12} />
        </span>
        {label}
      </button>
      <div id={id} hidden={!open}>
        {open && children}
      </div>
    </div>
  );
}

/** A value as JSON, one line for each member, to be copied. */
export function Json({ value, label }: { readonly value: unknown; readonly label?: string }): ReactNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div className="curl-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a part that scrolls */}
      <pre tabIndex={0} className="json" {...(label !== undefined && { 'aria-label': label })}>
        {lines(text)}
      </pre>
      <Copy text={text} />
    </div>
  );
}

const NAME = /^(\s*)("(?:[^"\\]|\\.)*")(:.*)$/;

/** Highlights member names. Everything is rendered as text, so no content is executed. */
const lines = (text: string): ReactNode[] =>
  text.split('\n').map((line, at) => {
    const [, indent, name, rest] = NAME.exec(line) ?? [];
    const key = `${at}`;
    return name === undefined ? (
      <span key={key}>{`${line}\n`}</span>
    ) : (
      <span key={key}>
        {indent}
        <span className="json-name">{name}</span>
        {`${rest}\n`}
      </span>
    );
  });

/** The same behind a button. */
export function RawMessage({ value, label }: { readonly value: unknown; readonly label?: string }): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <Disclosure label={label ?? t.rawMessage}>
      <Json value={value} label={label ?? t.rawMessage} />
    </Disclosure>
  );
}

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

/** The start of a curl command. The sandbox's merchant and token are public. */
export const sandboxCurl = (url: string, ...fields: readonly string[]): string =>
  [
    `curl ${url}`,
    '-H "Authorization: Bearer NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v"',
    '-d entityId=5eed0000000000000000000000000001',
    ...fields,
  ].join(' \\\n  ');

export const SANDBOX_CARD =
  '-d paymentBrand=VISA -d card.number=4200000000000000 -d card.holder="Ann Example" -d card.expiryMonth=05 -d card.expiryYear=2034';
