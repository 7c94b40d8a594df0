import type { ReactNode } from 'react';
import type { CallDetailView, CauseView } from '../../../spec/answers/developer.ts';
import { useMe } from '../../app/me.ts';
import { useResultCode } from '../../kit/ResultCode.tsx';
import { developerTexts } from '../../texts/developer.ts';
import { useTexts } from '../../texts/texts.ts';
import { toneOf } from './Calls.tsx';

type Props = { readonly code: string; readonly status: number; readonly explanation: CallDetailView['explanation'] };

/** Why a call ended as it did: what happened, who should act, what to do, and the causes. */
export function Explanation({ code, status, explanation }: Props): ReactNode {
  const t = useTexts(developerTexts);
  const { gatewayUrl } = useMe();
  const { entry, tone } = useResultCode(code === '' ? null : code);
  const { what, actor, next, anchor, faults, causes } = explanation;
  return (
    <section className="dev-explain" data-tone={entry ? tone : toneOf(status)} aria-label={t.happened}>
      <p className="dev-what">{what}</p>
      {causes.length > 0 && (
        <div>
          <strong>{t.causes}</strong>
          <ul className="dev-list">
            {causes.map((cause) => (
              <li key={JSON.stringify(cause)}>
                <Cause cause={cause} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {faults.length > 0 && (
        <div>
          <strong>{t.faults}</strong>
          <ul className="dev-list">
            {faults.map(({ name, message, says, anchor: place }) => (
              <li key={name + message}>
                <Named says={says} name={name} href={gatewayUrl + place} /> <span className="muted">{message}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <dl>
        <dt>{t.whose}</dt>
        <dd>{actor}</dd>
        <dt>{t.next}</dt>
        <dd>{next}</dd>
        {entry && (
          <>
            <dt>{t.code}</dt>
            <dd lang="en">
              <code>{code}</code> {entry.text}
            </dd>
          </>
        )}
      </dl>
      <a className="to" href={gatewayUrl + anchor} target="_blank" rel="noreferrer">
        {t.inReference}
      </a>
    </section>
  );
}

type NamedProps = { readonly says: string; readonly name: string; readonly href: string };

/** A sentence in which the name of a parameter leads to the reference. */
function Named({ says, name, href }: NamedProps): ReactNode {
  const at = says.indexOf(name);
  const link = (
    <a className="to" href={href} target="_blank" rel="noreferrer">
      <code>{name}</code>
    </a>
  );
  if (at < 0) {
    return (
      <>
        {link} {says}
      </>
    );
  }
  return (
    <>
      {says.slice(0, at)}
      {link}
      {says.slice(at + name.length)}
    </>
  );
}

function Cause({ cause }: { readonly cause: CauseView }): ReactNode {
  const t = useTexts(developerTexts);
  if (cause.is === 'rule') {
    return (
      <>
        {t.rule(cause.rule, cause.says)} <span className="muted">{t.ruleDoes(cause.verdict, cause.score)}</span>
      </>
    );
  }
  return (
    <>
      {t.threeDS(cause.step)} {cause.status && <span className="muted">{t.threeDSStatus(cause.status, cause.reason ?? '')}</span>}
    </>
  );
}
