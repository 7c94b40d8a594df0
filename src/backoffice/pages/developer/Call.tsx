import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react';
import type { CallDetailView, CauseView } from '../../../spec/answers/developer.ts';
import { testCards } from '../../../spec/cards/testCards.ts';
import { problemText } from '../../app/api.ts';
import { useMay, useMe } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Curl, Json } from '../../kit/Code.tsx';
import { Dialog, FormButtons } from '../../kit/Dialog.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { Id } from '../../kit/Id.tsx';
import { Facts, PageHead, Section, Unloaded } from '../../kit/Page.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { ResultCode, Status, useResultCode } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { developerTexts } from '../../texts/developer.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { toneOf } from './Calls.tsx';

/** One call: first its explanation, then request and response side by side. */
export function Call(): ReactNode {
  const t = useTexts(developerTexts);
  const { params } = useAddress();
  const id = params.id ?? '';
  const { data: call, error, refetch } = useApiQuery('readCall', { language: useLanguage() }, { places: { id } });
  const back = { to: '/developer/calls', label: t.apiCalls };
  if (!call) return <Unloaded title={t.call} back={back} error={error} retry={refetch} />;
  return <Loaded call={call} back={back} />;
}

type Back = { readonly to: string; readonly label: string };

function Loaded({ call, back }: { readonly call: CallDetailView; readonly back: Back }): ReactNode {
  const t = useTexts(developerTexts);
  const { environment } = useMe();
  const may = useMay('calls', call.entityId);
  const [isRunning, setRunning] = useState(false);
  const { paymentId, explanation, method, path } = call;
  return (
    <>
      <PageHead title={`${method} ${path}`} back={back} says={<Timestamp at={call.at} hasSeconds />}>
        {paymentId && (
          <PageLink to={`/payments/${paymentId}`} className="to dev-beside">
            {t.toPayment}
          </PageLink>
        )}
        {may && environment === 'test' && call.toFill !== null && (
          <Button variant="default" onClick={() => setRunning(true)}>
            {t.runAgain}
          </Button>
        )}
      </PageHead>
      <Explanation code={call.code} status={call.status} explanation={explanation} />
      <Section title={t.call}>
        <Known call={call} />
      </Section>
      <div className="dev-pair">
        <Section title={t.request}>
          <Fields call={call} />
        </Section>
        <Section title={t.response}>
          {call.answer === null ? <p className="muted">{t.noAnswer}</p> : <Json value={call.answer} label={t.response} />}
        </Section>
      </div>
      <Section title={t.curl}>
        <Curl text={call.curl} label={t.curlSays} />
      </Section>
      <RunAgain call={call} isOpen={isRunning} onClose={() => setRunning(false)} />
    </>
  );
}

function Known({ call }: { readonly call: CallDetailView }): ReactNode {
  const t = useTexts(developerTexts);
  const others = call.aboutIds.filter((id) => id !== call.paymentId);
  return (
    <Facts
      facts={[
        [
          t.state,
          <Status key="status" tone={toneOf(call.status)}>
            {call.status}
          </Status>,
        ],
        [t.resultCode, call.code && <ResultCode code={call.code} />],
        [t.took, t.ms(String(call.ms))],
        [t.payment, call.paymentId && <Id id={call.paymentId} to={`/payments/${call.paymentId}`} />],
        [t.object, others.length > 0 && others.map((id) => <Id key={id} id={id} />)],
        ['ndc', call.ndc && <Id id={call.ndc} />],
        [t.entity, <Id key="entity" id={call.entityId} />],
        [t.user, call.who ? <Id key="who" id={call.who} /> : t.nobody],
        [t.ipAddress, call.from],
        [t.idempotency, call.hasIdempotencyKey && t.sent],
        [t.againOf, call.againOf && <Id id={call.againOf} to={`/developer/calls/${call.againOf}`} isShort />],
      ]}
    />
  );
}

function Fields({ call: { fields, unread } }: { readonly call: CallDetailView }): ReactNode {
  const t = useTexts(developerTexts);
  if (unread !== null) return <p className="muted">{unread === 'otherMedia' ? t.otherMedia : t.bodyTooLong}</p>;
  if (fields.length === 0) return <p className="muted">{t.noFields}</p>;
  return (
    <table className="dev-fields">
      <tbody>
        {fields.map(({ name, value, isMasked }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: masked names may be the same, and the list never changes
          <tr key={at}>
            <th scope="row">{name}</th>
            <td>
              {value}
              {isMasked && <span className="dev-masked">{t.masked}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Props = { readonly call: CallDetailView; readonly isOpen: boolean; readonly onClose: () => void };

/** Asks for the masked values, and runs a call again. */
export function RunAgain(props: Props): ReactNode {
  const t = useTexts(developerTexts);
  return (
    <Dialog isOpen={props.isOpen} title={t.runTitle} onClose={props.onClose}>
      <Form {...props} />
    </Dialog>
  );
}

/** Values to begin with, where there are good ones. */
const given: Readonly<Record<string, string>> = {
  'card.number': testCards[0]?.number ?? '',
  'card.cvv': '123',
  'bankAccount.iban': 'DE23100000001234567890',
};

function Form({ call, onClose }: Props): ReactNode {
  const t = useTexts(developerTexts);
  const shell = useTexts(shellTexts);
  const { go } = useAddress();
  const names = call.toFill ?? [];
  const [fields, setFields] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(names.map((name) => [name, given[name] ?? ''])),
  );
  const put = (name: string, value: string) => setFields((before) => ({ ...before, [name]: value }));
  const { run, isRunning, problem } = useApiCommand('runCall', {
    says: ({ status }) => t.ran(status),
    isQuiet: true,
    onDone: ({ callId }) => {
      onClose();
      if (callId !== null) go(`/developer/calls/${callId}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ values: { fields }, places: { id: call.id } });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t.runSays}</p>
      {names.map((name) => (
        <Filled key={name} name={name} value={fields[name] ?? ''} onFill={(value) => put(name, value)} />
      ))}
      {problem && <Fault>{problemText(problem, shell)}</Fault>}
      <FormButtons act={t.run} isRunning={isRunning} onClose={onClose} />
    </form>
  );
}

type FilledProps = { readonly name: string; readonly value: string; readonly onFill: (value: string) => void };

const cards = testCards.map(({ number, brand, threeDSecure }) => ({
  value: number,
  label: `${number} ${brand} ${threeDSecure}`,
}));

/** One value that was masked: a card is chosen, everything else is typed. */
function Filled({ name, value, onFill }: FilledProps): ReactNode {
  const t = useTexts(developerTexts);
  const onChange = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => onFill(event.currentTarget.value);
  if (name === 'card.number')
    return <NativeSelect label={`${name} (${t.testCard})`} data={cards} value={value} onChange={onChange} />;
  return <TextInput label={name} value={value} onChange={onChange} autoComplete="off" />;
}

type ExplanationProps = { readonly code: string; readonly status: number; readonly explanation: CallDetailView['explanation'] };

/** Explains the result of a call: the event, who should act, the next step, and the causes. */
export function Explanation({ code, status, explanation }: ExplanationProps): ReactNode {
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
        <dt>{t.whoShouldAct}</dt>
        <dd>{actor}</dd>
        <dt>{t.advice}</dt>
        <dd>{next}</dd>
        {entry && (
          <>
            <dt>{t.resultCode}</dt>
            <dd lang="en">
              <code>{code}</code> {entry.text}
            </dd>
          </>
        )}
      </dl>
      <a className="to" href={gatewayUrl + anchor} target="_blank" rel="noreferrer">
        {t.apiReference}
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
