import { Button, PasswordInput, Select, TextInput, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Enrolment, PasskeyView, SessionView } from '../../../spec/answers/users.ts';
import { callApi, isProblem, problemText } from '../../app/api.ts';
import { useMe } from '../../app/me.ts';
import { hasPasskeys, makePasskey } from '../../app/passkey.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { ConfirmButton, Dialog } from '../../kit/Dialog.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { Copyable } from '../../kit/Id.tsx';
import { PageHead, Section } from '../../kit/Page.tsx';
import { QrCode } from '../../kit/QrCode.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useForm } from '../../kit/useForm.ts';
import { shellTexts } from '../../texts/shell.ts';
import { ownAccountTexts, signInTexts } from '../../texts/signIn.ts';
import { useTexts } from '../../texts/texts.ts';
import { CodeField, PASSWORD_MIN, PasswordRules } from '../signIn/SignInFrame.tsx';

/** The user's own account. */
export function Account(): ReactNode {
  const t = useTexts(ownAccountTexts);
  return (
    <>
      <PageHead title={t.yourAccount} />
      <Profile />
      <PasswordSection />
      <AppSection />
      <Passkeys />
      <Sessions />
    </>
  );
}

type Colours = 'light' | 'dark' | 'auto';

/** Name, language and colours. */
function Profile(): ReactNode {
  const t = useTexts(ownAccountTexts);
  const words = useTexts(shellTexts);
  const { user } = useMe();
  const { setColorScheme } = useMantineColorScheme();
  const { run, isRunning, problem } = useApiCommand('changeMe', { says: t.saved });
  const form = useForm({ name: user.name, language: user.language ?? 'auto', theme: user.theme ?? 'auto' }, problem);
  const submit = form.submit(({ name, language, theme }) => {
    setColorScheme(theme as Colours);
    run({ values: { name: name.trim(), language: language as 'en' | 'de' | 'auto', theme: theme as Colours } });
  });
  const languages = [
    { value: 'auto', label: t.languageAuto },
    { value: 'en', label: t.english },
    { value: 'de', label: t.german },
  ];
  const themes = [
    { value: 'auto', label: words.themeAuto },
    { value: 'light', label: words.themeLight },
    { value: 'dark', label: words.themeDark },
  ];
  return (
    <Section title={t.profile}>
      <form onSubmit={submit} className="stack account-form">
        <TextInput label={t.name} autoComplete="name" required withAsterisk={false} {...form.field('name')} />
        <TextInput label={t.email} value={user.email} readOnly />
        <Select label={t.language} data={languages} allowDeselect={false} {...form.field('language')} />
        <Select label={t.theme} data={themes} allowDeselect={false} {...form.field('theme')} />
        <div>
          <Button type="submit" loading={isRunning}>
            {words.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** The app with the codes. */
export function AppSection(): ReactNode {
  const t = useTexts(ownAccountTexts);
  const door = useTexts(signInTexts);
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
      <Dialog isOpen={enrolment !== null} title={door.appTitle} onClose={() => setEnrolment(null)}>
        {enrolment && <NewApp enrolment={enrolment} onDone={() => setEnrolment(null)} />}
      </Dialog>
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

/** Another password. */
export function PasswordSection(): ReactNode {
  const t = useTexts(ownAccountTexts);
  const door = useTexts(signInTexts);
  const words = useTexts(shellTexts);
  const { user } = useMe();
  const { run, isRunning, problem } = useApiCommand('changePassword', {
    says: t.changed,
    isQuiet: true,
    onDone: () => form.reset(),
  });
  const form = useForm({ password: '', newPassword: '' }, problem);
  const next = form.values.newPassword;
  const { error: presentFault, ...present } = form.field('password');
  const { error: fault, ...field } = form.field('newPassword');
  const refusal = [...next].length < PASSWORD_MIN ? door.tooShort : door.refused;
  const isOther = problem !== null && Object.keys(problem.faults).length === 0;
  return (
    <Section title={t.password}>
      <form onSubmit={form.submit((values) => run({ values }))} className="stack account-form">
        <p className="muted">{t.passwordSays}</p>
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          label={t.present}
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...present}
          error={presentFault && t.presentWrong}
        />
        <div>
          <PasswordInput
            label={t.newPassword}
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...field}
            error={fault && refusal}
          />
          {next !== '' && <PasswordRules password={next} about={[user.name, user.email]} />}
        </div>
        {isOther && (
          <Fault>{problem.status === 403 || problem.status === 401 ? t.presentWrong : problemText(problem, words)}</Fault>
        )}
        <div>
          <Button type="submit" variant="default" loading={isRunning}>
            {t.change}
          </Button>
        </div>
      </form>
    </Section>
  );
}

type Words = (typeof ownAccountTexts)['en'];

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** `Firefox · Linux`, from what a browser says of itself. */
function browserOf(agent: string, t: Words): string {
  const known = [BROWSERS, SYSTEMS].flatMap((rows) => rows.find(([pattern]) => pattern.test(agent))?.[1] ?? []);
  return known.length > 0 ? known.join(' · ') : t.unknownBrowser;
}

const columnsIn = (t: Words, onEnd: (id: string) => void): readonly Column<SessionView>[] => [
  { id: 'browser', header: t.browser, isFixed: true, cell: ({ agent }) => <span title={agent}>{browserOf(agent, t)}</span> },
  { id: 'from', header: t.ipAddress, cell: ({ from }) => <code>{from}</code> },
  { id: 'began', header: t.began, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'used', header: t.lastUsed, cell: ({ usedAt }) => <Timestamp at={usedAt} /> },
  {
    id: 'end',
    header: '',
    isFixed: true,
    isNumber: true,
    cell: ({ id, isThis, agent }) =>
      isThis ? (
        <Status tone="accent">{t.here}</Status>
      ) : (
        <Button size="compact-sm" variant="subtle" aria-label={t.endNamed(browserOf(agent, t))} onClick={() => onEnd(id)}>
          {t.signOut}
        </Button>
      ),
  },
];

/** Where one is signed in. */
export function Sessions(): ReactNode {
  const t = useTexts(ownAccountTexts);
  const { data, error, refetch } = useApiQuery('listSessions');
  const { run: endOne } = useApiCommand('endSession', { says: t.ended });
  const { run: endOthers, isRunning } = useApiCommand('endOtherSessions', { says: t.endedOthers });
  const columns = columnsIn(t, (id) => endOne({ places: { id } }));
  const hasOthers = (data?.sessions.length ?? 0) > 1;
  const others = hasOthers && (
    <Button variant="default" loading={isRunning} onClick={() => endOthers({})}>
      {t.endOthers}
    </Button>
  );
  return (
    <Section title={t.sessions} actions={others}>
      <p className="muted account-says">{t.sessionsSays}</p>
      <DataTable
        name="sessions"
        label={t.sessions}
        rows={data?.sessions}
        columns={columns}
        keyOf={({ id }) => id}
        problem={error}
        retry={() => void refetch()}
        empty={null}
      />
    </Section>
  );
}

const passkeyColumns = (t: (typeof ownAccountTexts)['en']): readonly Column<PasskeyView>[] => [
  { id: 'name', header: t.name, isFixed: true, cell: ({ name }) => name },
  { id: 'created', header: t.added, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'used', header: t.lastUsed, cell: ({ usedAt }) => (usedAt === null ? t.never : <Timestamp at={usedAt} />) },
  {
    id: 'remove',
    header: '',
    isFixed: true,
    isNumber: true,
    cell: ({ id, name }) => (
      <ConfirmButton
        endpoint="removePasskey"
        request={{ places: { id } }}
        title={t.passkeyRemoveNamed(name)}
        label={t.passkeyRemove}
        ariaLabel={t.passkeyRemoveNamed(name)}
        variant="subtle"
        size="compact-sm"
        says={t.passkeyRemoved}
      >
        {t.passkeyRemoveSays(name)}
      </ConfirmButton>
    ),
  },
];

/** The user's own passkeys. */
export function Passkeys(): ReactNode {
  const t = useTexts(ownAccountTexts);
  const { data, error, refetch } = useApiQuery('listPasskeys');
  const [isAdding, setAdding] = useState(false);
  const add = hasPasskeys() && (
    <Button variant="default" onClick={() => setAdding(true)}>
      {t.passkeyAdd}
    </Button>
  );
  return (
    <Section title={t.passkeys} actions={add}>
      <p className="muted account-says">{hasPasskeys() ? t.passkeysSays : t.passkeysHost}</p>
      <DataTable
        name="passkeys"
        label={t.passkeys}
        rows={data?.passkeys}
        columns={passkeyColumns(t)}
        keyOf={({ id }) => id}
        problem={error}
        retry={() => void refetch()}
        empty={<p className="muted">{t.passkeyNone}</p>}
      />
      <NewPasskey isOpen={isAdding} onClose={() => setAdding(false)} onDone={() => void refetch()} />
    </Section>
  );
}

type NewProps = { readonly isOpen: boolean; readonly onClose: () => void; readonly onDone: () => void };

function NewPasskey({ isOpen, onClose, onDone }: NewProps): ReactNode {
  const t = useTexts(ownAccountTexts);
  const words = useTexts(shellTexts);
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const make = async () => {
    const { ticket, passkey } = await callApi('newPasskeyOptions');
    await callApi('addPasskey', { ticket, name: name.trim(), credential: await makePasskey(passkey) });
    notifications.show({ message: t.passkeyAdded, color: 'good' });
    onDone();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFault(null);
    make().catch((error) => setFault(isProblem(error) ? problemText(error, words) : t.passkeyFailed));
  };
  return (
    <Dialog isOpen={isOpen} title={t.passkeyAdd} onClose={onClose}>
      <form onSubmit={submit} className="stack">
        <TextInput
          label={t.name}
          placeholder={t.passkeyNameHint}
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fault}
          data-autofocus
        />
        <Button type="submit">{t.passkeyAdd}</Button>
      </form>
    </Dialog>
  );
}
