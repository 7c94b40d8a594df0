import { Button, Divider, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { HalfSignedIn } from '../../../spec/answers/users.ts';
import { callApi, isProblem, problemText } from '../../app/api.ts';
import { hasPasskeys, showPasskey, signInWithPasskey } from '../../app/passkey.ts';
import { shellTexts } from '../../texts/shell.ts';
import { signInTexts } from '../../texts/signIn.ts';
import { useTexts } from '../../texts/texts.ts';
import { CodeField, SignInFrame, useArrival } from './SignInFrame.tsx';

/** One attempt at a time, and the message when it fails. */
function useAttempt() {
  const t = useTexts(signInTexts);
  const words = useTexts(shellTexts);
  const [fault, setFault] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const attempt = (act: () => Promise<unknown>): void => {
    setRunning(true);
    setFault(null);
    const say = (error: unknown) => {
      if (!isProblem(error)) return t.passkeyFailed;
      return error.status === 401 || error.status === 400 ? t.wrong : problemText(error, words);
    };
    act()
      .catch((error) => setFault(say(error)))
      .finally(() => setRunning(false));
  };
  return { attempt, fault, isRunning };
}

/** Password first, then a code or a passkey; or a passkey alone. */
export function SignIn(): ReactNode {
  const [half, setHalf] = useState<HalfSignedIn | null>(null);
  return half ? <Second half={half} onBack={() => setHalf(null)} /> : <First onHalf={setHalf} />;
}

function First({ onHalf }: { readonly onHalf: (half: HalfSignedIn) => void }): ReactNode {
  const t = useTexts(signInTexts);
  const arrive = useArrival();
  const { attempt, fault, isRunning } = useAttempt();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt(async () => onHalf(await callApi('signIn', { email: email.trim(), password })));
  };
  return (
    <SignInFrame title={t.signIn}>
      <form onSubmit={submit} className="stack">
        <TextInput
          label={t.email}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={t.password}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Fault text={fault} />
        <Button type="submit" fullWidth loading={isRunning}>
          {t.goOn}
        </Button>
      </form>
      {hasPasskeys() && (
        <>
          <Divider label={t.or} labelPosition="center" />
          <Button variant="default" fullWidth onClick={() => attempt(() => signInWithPasskey().then(arrive))}>
            {t.withPasskey}
          </Button>
        </>
      )}
      <p className="sign-in-help">{t.help}</p>
    </SignInFrame>
  );
}

function Second({ half, onBack }: { readonly half: HalfSignedIn; readonly onBack: () => void }): ReactNode {
  const t = useTexts(signInTexts);
  const arrive = useArrival();
  const { attempt, fault, isRunning } = useAttempt();
  const [code, setCode] = useState('');
  const { ticket, ways, passkey } = half;
  const hasApp = ways.includes('totp');
  const byCode = (digits: string) => attempt(() => callApi('signInSecond', { ticket, code: digits }).then(arrive));
  const byPasskey = () =>
    attempt(async () => {
      await callApi('signInSecond', { ticket, credential: await showPasskey(passkey ?? {}) });
      await arrive();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    byCode(code);
  };
  return (
    <SignInFrame title={t.secondTitle} says={hasApp ? t.secondSays : t.secondPasskeySays}>
      {hasApp && (
        <form onSubmit={submit} className="stack">
          <CodeField label={t.code} value={code} onCode={setCode} data-autofocus autoFocus />
          <Fault text={fault} />
          <Button type="submit" fullWidth loading={isRunning} disabled={code.length !== 6}>
            {t.signIn}
          </Button>
        </form>
      )}
      {!hasApp && <Fault text={fault} />}
      {passkey && (
        <Button variant={hasApp ? 'default' : 'filled'} fullWidth onClick={byPasskey}>
          {t.usePasskey}
        </Button>
      )}
      <Button variant="subtle" fullWidth onClick={onBack}>
        {t.again}
      </Button>
    </SignInFrame>
  );
}

export function Fault({ text }: { readonly text: string | null }): ReactNode {
  return (
    <div role="alert" className="fault">
      {text}
    </div>
  );
}
