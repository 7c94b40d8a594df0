import { Button, PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from '../../app/me.ts';
import { problemText } from '../../app/problemText.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Section } from '../../kit/Facts.tsx';
import { useForm } from '../../kit/useForm.ts';
import { ownAccountTexts } from '../../texts/ownAccount.ts';
import { shellTexts } from '../../texts/shell.ts';
import { signInTexts } from '../../texts/signIn.ts';
import { useTexts } from '../../texts/texts.ts';
import { PASSWORD_MIN, PasswordRules } from '../signIn/PasswordRules.tsx';

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
            label={t.next}
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...field}
            error={fault && refusal}
          />
          {next !== '' && <PasswordRules password={next} about={[user.name, user.email]} />}
        </div>
        {isOther && (
          <p role="alert" className="fault">
            {problem.status === 403 || problem.status === 401 ? t.presentWrong : problemText(problem, words)}
          </p>
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
