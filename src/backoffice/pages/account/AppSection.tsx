import { Button, Modal } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Enrolment } from '../../../spec/answers/users.ts';
import { useMe } from '../../app/me.ts';
import { problemText } from '../../app/problemText.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Section } from '../../kit/Facts.tsx';
import { Copyable } from '../../kit/Id.tsx';
import { QrCode } from '../../kit/QrCode.tsx';
import { ownAccountTexts } from '../../texts/ownAccount.ts';
import { shellTexts } from '../../texts/shell.ts';
import { signInTexts } from '../../texts/signIn.ts';
import { useTexts } from '../../texts/texts.ts';
import { CodeField } from '../signIn/SignInFrame.tsx';

/** The app with the codes. */
export function AppSection(): ReactNode {
  const t = useTexts(ownAccountTexts);
  const door = useTexts(signInTexts);
  const words = useTexts(shellTexts);
  const { user } = useMe();
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const { run, isRunning } = useApiCommand('enrolTotp', { onDone: setEnrolment });
  return (
    <Section title={t.app}>
      <div className="stack account-form">
        <p className="muted">{user.hasTotp ? t.appSays : t.appNone}</p>
        <div>
          <Button variant="default" loading={isRunning} onClick={() => run({})}>
            {t.appSet}
          </Button>
        </div>
      </div>
      <Modal
        opened={enrolment !== null}
        onClose={() => setEnrolment(null)}
        title={door.appTitle}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        {enrolment && <NewApp enrolment={enrolment} onDone={() => setEnrolment(null)} />}
      </Modal>
    </Section>
  );
}

function NewApp({ enrolment, onDone }: { readonly enrolment: Enrolment; readonly onDone: () => void }): ReactNode {
  const t = useTexts(ownAccountTexts);
  const door = useTexts(signInTexts);
  const words = useTexts(shellTexts);
  const [code, setCode] = useState('');
  const { run, isRunning, problem } = useApiCommand('finishTotp', { says: t.appDone, isQuiet: true, onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ values: { ticket: enrolment.ticket, code } });
  };
  const fault = problem && (problem.status < 429 && problem.status > 0 ? door.codeWrong : problemText(problem, words));
  return (
    <form onSubmit={submit} className="stack">
      <p className="muted">{door.appSays}</p>
      <QrCode text={enrolment.uri} label={door.appPicture} />
      <Copyable text={enrolment.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
      <CodeField label={door.code} value={code} onCode={setCode} error={fault} />
      <Button type="submit" loading={isRunning} disabled={code.length !== 6}>
        {words.confirm}
      </Button>
    </form>
  );
}
