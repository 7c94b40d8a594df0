import { Tooltip, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useMe, useTestClock } from '../app/me.ts';
import { useAddress } from '../app/navigation.ts';
import { sessionWatch } from '../app/session.ts';
import { useApiCommand } from '../app/useApi.ts';
import { Icon } from '../kit/icons.tsx';
import { type PopItem, PopList } from '../kit/PopList.tsx';
import { useDateText } from '../kit/Timestamp.tsx';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { EntityPicker } from './EntityPicker.tsx';
import { showShortcuts } from './Shortcuts.tsx';

/** Search, chosen entity, environment, test clock and account menu. */
export function TopBar({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <header className="top">
      {children}
      <Search />
      <EntityPicker />
      <span className="top-gap" />
      <Clock />
      <Environment />
      <Account />
    </header>
  );
}

function Search(): ReactNode {
  const t = useTexts(shellTexts);
  const { search, go, path } = useAddress();
  const shown = path === '/payments' ? (search.q ?? '') : '';
  const [text, setText] = useState(shown);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setText(shown), [shown]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go('/payments', { q: text.trim() || undefined });
  };
  return (
    <search className="search">
      <form onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={field}
          id="search"
          type="search"
          aria-label={t.searchPayments}
          placeholder={t.searchPayments}
          title={t.searchHint}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <span className="search-key" aria-hidden="true">
          {SLASH}
        </span>
      </form>
    </search>
  );
}

const SLASH = '/';

function Environment(): ReactNode {
  const t = useTexts(shellTexts);
  const { environment } = useMe();
  if (environment === 'live') return <span className="live">{t.live}</span>;
  return (
    <Tooltip label={t.testSays}>
      <span className="badge-test">{t.test}</span>
    </Tooltip>
  );
}

/** The clock of the merchant, where it does not show real time. */
function Clock(): ReactNode {
  const t = useTexts(shellTexts);
  const clock = useTestClock();
  const dateText = useDateText();
  if (!clock) return null;
  const at = dateText(clock.now);
  return (
    <span className="moved-clock">
      <Icon name="clock" size={14} />
      {clock.isFrozen ? t.clockFrozen(at) : t.clockMoved(at)}
    </span>
  );
}

function Account(): ReactNode {
  const t = useTexts(shellTexts);
  const { user } = useMe();
  const { go } = useAddress();
  const client = useQueryClient();
  const { run } = useApiCommand('signOut', { onDone: () => leave() });
  const leave = () => {
    client.clear();
    sessionWatch.lost();
    go('/sign-in');
  };
  const colours = useColours();
  const groups = [
    {
      key: 'own',
      title: user.email,
      items: [
        { key: 'account', label: t.yourAccount, onClick: () => go('/account') },
        { key: 'keys', label: t.shortcuts, onClick: showShortcuts },
      ],
    },
    { key: 'colours', title: t.theme, items: colours },
    { key: 'out', items: [{ key: 'out', label: t.signOut, onClick: () => run({}) }] },
  ];
  const button = (
    <>
      <Icon name="user" />
      <span>{user.name}</span>
    </>
  );
  return (
    <PopList
      label={t.account}
      button={button}
      buttonClass="account"
      buttonLabel={`${t.account}: ${user.name}`}
      groups={groups}
      position="bottom-end"
    />
  );
}

function useColours(): readonly PopItem[] {
  const t = useTexts(shellTexts);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choices = [
    ['light', t.themeLight],
    ['dark', t.themeDark],
    ['auto', t.themeAuto],
  ] as const;
  return choices.map(([key, label]) => ({ key, label, isOn: colorScheme === key, onClick: () => setColorScheme(key) }));
}
