import type { ReactNode } from 'react';
import type { AuditShown } from '../../../spec/answers/users.ts';
import { Status, type Tone } from '../../kit/Status.tsx';
import { auditTexts } from '../../texts/audit.ts';
import { useTexts } from '../../texts/texts.ts';

const tones: Readonly<Record<AuditShown['outcome'], Tone>> = { done: 'good', refused: 'warn', failed: 'bad' };

/** What came of an act. */
export function Outcome({ entry }: { readonly entry: Pick<AuditShown, 'outcome'> }): ReactNode {
  const t = useTexts(auditTexts);
  return <Status tone={tones[entry.outcome]}>{t[entry.outcome]}</Status>;
}
