import type { ReactNode } from 'react';
import { auditActionTexts } from '../../texts/auditActions.ts';
import { useTexts } from '../../texts/texts.ts';

/** The label of an audited action; the name of the endpoint or command where it has none. */
export function Action({ what }: { readonly what: string }): ReactNode {
  const label = useTexts(auditActionTexts)[what];
  return label === undefined ? <code>{what}</code> : <span title={what}>{label}</span>;
}
