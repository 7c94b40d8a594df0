import type { ReactNode } from 'react';
import type { AuditProof } from '../../../spec/answers/audit.ts';
import { Status } from '../../kit/Status.tsx';
import { useDateText } from '../../kit/When.tsx';
import { auditTexts } from '../../texts/audit.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';

/** What the last verification found. */
export function Proof({ proof, isRunning }: { readonly proof: AuditProof | undefined; readonly isRunning: boolean }): ReactNode {
  const t = useTexts(auditTexts);
  const dateText = useDateText();
  const locale = localeOf(useLanguage());
  if (isRunning) return <p role="status">{t.verifying}</p>;
  if (!proof) return null;
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const at = dateText(proof.at, true);
  return (
    <div role="status" className="audit-proof" data-ok={proof.ok || undefined}>
      <Status tone={proof.ok ? 'good' : 'bad'}>
        {proof.ok ? t.verified(number(proof.head.number), at) : t.broken(number(proof.found), at)}
      </Status>
      {!proof.ok && proof.findings.length === 0 && <p>{t.brokenElsewhere}</p>}
      {proof.findings.length > 0 && (
        <ul>
          {proof.findings.map(({ number: entry, says }) => (
            <li key={`${entry} ${says}`}>{entry === null ? says : `${t.atEntry(number(entry))}: ${says}`}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
