import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { Icon } from './icons.tsx';
import { PageLink } from './PageLink.tsx';

/** A button that copies a text. */
export function Copy({ text, label }: { readonly text: string; readonly label?: string }): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <CopyButton value={text} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t.copied : (label ?? t.copy)}>
          <UnstyledButton
            className="copy"
            aria-label={copied ? t.copied : `${label ?? t.copy}: ${text.slice(0, 40)}`}
            onClick={(event) => {
              event.stopPropagation();
              copy();
            }}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export type IdProps = {
  readonly id: string;
  /** Where it leads. */
  readonly to?: string;
  /** Only its first characters are shown; all of them are copied. */
  readonly isShort?: boolean;
};

/** The beginning and the end of a long id. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

/** An id in a monospace face, to be copied with one click. */
export function Id({ id, to, isShort = false }: IdProps): ReactNode {
  const shown = isShort ? shortId(id) : id;
  return (
    <span className="id">
      {to ? <PageLink to={to}>{shown}</PageLink> : <span title={isShort ? id : undefined}>{shown}</span>}
      <Copy text={id} />
    </span>
  );
}

/** A text that is there to be copied, such as a secret that is shown once. */
export function Copyable({ text, label }: { readonly text: string; readonly label?: string }): ReactNode {
  return (
    <div className="copyable">
      <code>{text}</code>
      <Copy text={text} {...(label !== undefined && { label })} />
    </div>
  );
}
