import { Button, Drawer, Modal, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { mayAt, meQuery, useMe, useRememberedMerchant, useScope } from '../app/me.ts';
import { useAddress, useTitle } from '../app/navigation.ts';
import { sessionWatch } from '../app/session.ts';
import { useApiQuery } from '../app/useApi.ts';
import { Icon } from '../kit/icons.tsx';
import { PageLink } from '../kit/PageLink.tsx';
import type { RailName } from '../pages.ts';
import { shellTexts } from '../texts/shell.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';
import { EntityPicker } from './EntityPicker.tsx';
import { NoPermission } from './NotFound.tsx';
import { earlyShortcut, Shortcuts } from './Shortcuts.tsx';
import { TopBar } from './TopBar.tsx';
import { mayOpen, usePageRow, useRail } from './useRail.ts';

const WARNING_MS = 60_000;

type Left = { readonly seconds: number; readonly isForGood: boolean };

function left(): Left | null {
  const ends = sessionWatch.ends();
  if (!ends) return null;
  const at = Math.min(ends.idleAt, ends.endsAt);
  return { seconds: Math.max(0, Math.ceil((at - Date.now()) / 1_000)), isForGood: ends.endsAt <= ends.idleAt };
}

/** Warns a minute before the session ends, and offers to stay. */
function Ending(): ReactNode {
  const t = useTexts(shellTexts);
  const client = useQueryClient();
  const [shown, setShown] = useState<Left | null>(null);
  useEffect(() => {
    const timer = globalThis.setInterval(() => {
      const now = left();
      if (now?.seconds === 0) sessionWatch.lost();
      setShown(now && now.seconds > 0 && now.seconds * 1_000 <= WARNING_MS ? now : null);
    }, 1_000);
    return () => globalThis.clearInterval(timer);
  }, []);
  const stay = () => void client.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => {});
  return (
    <Modal opened={shown !== null} onClose={stay} title={t.endingTitle} withCloseButton={false}>
      <div className="stack">
        <p>{shown && (shown.isForGood ? t.endingForGood(shown.seconds) : t.ending(shown.seconds))}</p>
        {!shown?.isForGood && (
          <Button onClick={stay} data-autofocus>
            {t.stay}
          </Button>
        )}
      </div>
    </Modal>
  );
}

/** Loaded after the page, because only a shortcut opens it. */
const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));

/** The layout around every page after sign-in. */
export function Layout({ children }: { readonly children: ReactNode }): ReactNode {
  const t = useTexts(shellTexts);
  const [isOpen, setOpen] = useState(false);
  const language = useLanguage();
  const row = usePageRow();
  useRememberedMerchant();
  const me = useMe();
  const isAllowed = row === undefined || mayOpen(me, row);
  useTitle(isAllowed ? (row?.title[language] ?? '') : t.noPermission);
  const main = useRef<HTMLElement>(null);
  useFocusOnArrival(main);
  useEffect(() => {
    document.addEventListener('keydown', earlyShortcut.onKey);
    return () => document.removeEventListener('keydown', earlyShortcut.onKey);
  }, []);
  return (
    <div className="office">
      <a href="#main" className="skip">
        {t.skip}
      </a>
      <aside className="rail">
        <Mark />
        <Rail />
      </aside>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        size={264}
        title={<Mark />}
        closeButtonProps={{ 'aria-label': t.close }}
      >
        <EntityPicker />
        <Rail onGo={() => setOpen(false)} />
      </Drawer>
      <TopBar>
        <UnstyledButton className="burger" aria-label={t.openMenu} onClick={() => setOpen(true)}>
          <Icon name="menu" size={20} />
        </UnstyledButton>
      </TopBar>
      <main id="main" className="main" ref={main} tabIndex={-1}>
        {isAllowed ? children : <NoPermission />}
      </main>
      <Suspense>
        <Palette />
      </Suspense>
      <Shortcuts />
      <Ending />
    </div>
  );
}

function Mark(): ReactNode {
  return (
    <PageLink to="/" className="mark">
      <Icon name="mark" size={20} />
      <span>{NAME}</span>
    </PageLink>
  );
}

const NAME = 'Turnpike';

/** Moves the focus to the start of a newly opened page, for keyboards and screen readers, unless the user has moved it meanwhile. */
function useFocusOnArrival(main: { readonly current: HTMLElement | null }): void {
  const { path, askedFrom } = useAddress();
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    const { activeElement, body } = document;
    if (activeElement === askedFrom || activeElement === body) main.current?.focus({ preventScroll: true });
  }, [path, askedFrom, main]);
}

/** How much waits there; nothing when nothing does. */
function Tasks({ count }: { readonly count: number }): ReactNode {
  const t = useTexts(shellTexts);
  if (count === 0) return null;
  return (
    <span className="rail-tasks">
      <span aria-hidden="true">{countText(count)}</span>
      <VisuallyHidden>{t.waiting(countText(count))}</VisuallyHidden>
    </span>
  );
}

/** The places, and below the one we are at its pages. */
function Rail({ onGo }: { readonly onGo?: () => void }): ReactNode {
  const t = useTexts(shellTexts);
  const places = useRail();
  const tasks = useTaskCounts();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: it only notices that a link inside was followed
    <nav aria-label={t.navigation} className="rail-list" onClick={onGo}>
      <ul>
        {places.map(({ name, label, to, isActive, below }) => (
          <li key={name}>
            <PageLink to={to} className="rail-place" {...(isActive && { 'data-active': 'yes' })}>
              <Icon name={name} />
              {label}
              <Tasks count={tasks[name] ?? 0} />
            </PageLink>
            {isActive && below.length > 0 && (
              <ul className="rail-below">
                {below.map((page) => (
                  <li key={page.to}>
                    <PageLink to={page.to} className="rail-page" isExact>
                      {page.label}
                    </PageLink>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

const EVERY_MS = 60_000;
/** The server counts no further. */
const COUNT_MAX = 100;

/** The numbers of open tasks of the user at the chosen entity, by the entry of the rail that leads to them. */
export function useTaskCounts(): Readonly<Partial<Record<RailName, number>>> {
  const me = useMe();
  const { entityId } = useScope();
  const isWanted = (['approve', 'review', 'settlement', 'webhooks', 'tokens', 'keys'] as const).some((right) =>
    mayAt(me, right, entityId),
  );
  const { data } = useApiQuery('countTasks', { entityId }, { everyMs: EVERY_MS, isWanted: entityId !== '' && isWanted });
  const { approvals = 0, notices = 0, reviews = 0, exceptions = 0 } = data ?? {};
  return { administration: Math.min(approvals + notices, COUNT_MAX), risk: reviews, settlement: exceptions };
}

export const countText = (count: number): string => (count >= COUNT_MAX ? `${COUNT_MAX - 1}+` : String(count));
