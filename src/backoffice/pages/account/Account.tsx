import { Button, Select, TextInput, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Section } from '../../kit/Facts.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { useForm } from '../../kit/useForm.ts';
import { ownAccountTexts } from '../../texts/ownAccount.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { AppSection } from './AppSection.tsx';
import { Passkeys } from './Passkeys.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { Sessions } from './Sessions.tsx';

/** The user's own account. */
export function Account(): ReactNode {
  const t = useTexts(ownAccountTexts);
  return (
    <>
      <PageHead title={t.title} />
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
