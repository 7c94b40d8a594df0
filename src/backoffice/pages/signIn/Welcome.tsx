import { Button, Loader, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { Enrolment, Invitation } from '../../../spec/answers/users.ts';
import { callApi, isProblem, type Problem, problemText } from '../../app/api.ts';
import { Copyable } from '../../kit/Id.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { QrCode } from '../../kit/QrCode.tsx';
import { useForm } from '../../kit/useForm.ts';
import { shellTexts } from '../../texts/shell.ts';
import { signInTexts } from '../../texts/signIn.ts';
import { useTexts } from '../../texts/texts.ts';
import { Fault } from './SignIn.tsx';
import { CodeField, PASSWORD_MIN, PasswordRules, SignInFrame, useArrival } from './SignInFrame.tsx';

/** The token of a link is in its fragment, which browsers do not send. */
const tokenOf = (): string => globalThis.location.hash.slice(1);

type InvitationState =
  | { readonly is: 'reading' }
  | { readonly is: 'over' }
  | { readonly is: 'good'; readonly invitation: Invitation };

/** Where links lead: the first administrator, those who were invited, and those who lost their access. */
export function Welcome(): ReactNode {
  const t = useTexts(signInTexts);
  const [token] = useState(tokenOf);
  const [read, setRead] = useState<InvitationState>({ is: 'reading' });
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  useEffect(() => {
    callApi('readInvitation', { token }).then(
      (invitation) => setRead({ is: 'good', invitation }),
      () => setRead({ is: 'over' }),
    );
  }, [token]);
  if (read.is === 'reading') return <SignInFrame title={t.welcome}>{<Loader size="sm" />}</SignInFrame>;
  if (read.is === 'over')
    return (
      <SignInFrame title={t.overTitle} says={t.overSays}>
        <PageLink to="/sign-in">{t.signIn}</PageLink>
      </SignInFrame>
    );
  if (enrolment) return <App enrolment={enrolment} onOver={() => setRead({ is: 'over' })} />;
  return <Choice token={token} invitation={read.invitation} onChosen={setEnrolment} />;
}

type ChoiceProps = { readonly token: string; readonly invitation: Invitation; readonly onChosen: (enrolment: Enrolment) => void };

/** Name, address where the link does not say it, and a password. */
function Choice({ token, invitation, onChosen }: ChoiceProps): ReactNode {
  const t = useTexts(signInTexts);
  const words = useTexts(shellTexts);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isRunning, setRunning] = useState(false);
  const form = useForm({ name: invitation.name ?? '', email: invitation.email ?? '', password: '' }, problem);
  const { name, email, password } = form.values;
  const submit = form.submit(() => {
    setRunning(true);
    const own = invitation.email === null ? { email: email.trim() } : {};
    callApi('acceptInvitation', { token, name: name.trim(), password, ...own })
      .then(onChosen, (error) => setProblem(isProblem(error) ? error : null))
      .finally(() => setRunning(false));
  });
  const { error, ...field } = form.field('password');
  const refusal = [...password].length < PASSWORD_MIN ? t.tooShort : t.refused;
  const isOther = problem !== null && Object.keys(problem.faults).length === 0;
  const says = invitation.email === null ? t.welcomeFirst : t.welcomeSays;
  return (
    <SignInFrame title={invitation.isReset ? t.resetTitle : t.welcome} says={says}>
      <form onSubmit={submit} className="stack">
        <TextInput label={t.name} autoComplete="name" required withAsterisk={false} {...form.field('name')} />
        <TextInput
          label={t.email}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          readOnly={invitation.email !== null}
          {...form.field('email')}
        />
        <div>
          <PasswordInput
            label={t.newPassword}
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...field}
            error={error && refusal}
          />
          <PasswordRules password={password} about={[name, email]} />
        </div>
        <Fault text={isOther ? problemText(problem, words) : null} />
        <Button type="submit" fullWidth loading={isRunning}>
          {t.goOn}
        </Button>
      </form>
    </SignInFrame>
  );
}

/** The app is shown its secret, and shows its first code. */
function App({ enrolment, onOver }: { readonly enrolment: Enrolment; readonly onOver: () => void }): ReactNode {
  const t = useTexts(signInTexts);
  const words = useTexts(shellTexts);
  const arrive = useArrival();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const { ticket, secret, uri } = enrolment;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    callApi('finishInvitation', { ticket, code })
      .then(arrive)
      .catch((error) => {
        if (isProblem(error) && error.status === 404) onOver();
        setFault(isProblem(error) && error.status !== 401 ? problemText(error, words) : t.codeWrong);
      })
      .finally(() => setRunning(false));
  };
  return (
    <SignInFrame title={t.appTitle} says={t.appSays}>
      <QrCode text={uri} label={t.appPicture} />
      <div>
        <div className="label">{t.secret}</div>
        <Copyable text={secret.replace(/(.{4})(?=.)/g, '$1 ')} />
      </div>
      <form onSubmit={submit} className="stack">
        <CodeField label={t.code} value={code} onCode={setCode} />
        <Fault text={fault} />
        <Button type="submit" fullWidth loading={isRunning} disabled={code.length !== 6}>
          {t.finish}
        </Button>
      </form>
    </SignInFrame>
  );
}
