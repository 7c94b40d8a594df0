import type { ReactNode } from 'react';
import { Copy } from './Id.tsx';

/** A command for the terminal, to be copied. */
export function Curl({ text, label }: { readonly text: string; readonly label?: string }): ReactNode {
  return (
    <figure className="curl">
      {label && <figcaption>{label}</figcaption>}
      <div className="curl-box">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <pre tabIndex={0}>{text}</pre>
        <Copy text={text} />
      </div>
    </figure>
  );
}
