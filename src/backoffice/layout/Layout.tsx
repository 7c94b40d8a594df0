import { Drawer, UnstyledButton } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useAddress } from '../app/address.ts';
import { Icon } from '../kit/icons.tsx';
import { To } from '../kit/To.tsx';
import { shellTexts } from '../texts/shell.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';
import { Ending } from './Ending.tsx';
import { EntityPicker } from './EntityPicker.tsx';
import { hearEarly } from './early.ts';
import { Rail } from './Rail.tsx';
import { Shortcuts } from './Shortcuts.tsx';
import { TopBar } from './TopBar.tsx';
import { usePageRow } from './usePlaces.ts';
import { useTitle } from './useTitle.ts';

/** It is opened by keys that nobody presses before the page stands. */
const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));

/** The frame around every page behind the door. */
export function Layout(): ReactNode {
  const t = useTexts(shellTexts);
  const [isOpen, setOpen] = useState(false);
  const language = useLanguage();
  useTitle(usePageRow()?.title[language] ?? '');
  const main = useRef<HTMLElement>(null);
  useFocusOnArrival(main);
  useEffect(() => {
    document.addEventListener('keydown', hearEarly);
    return () => document.removeEventListener('keydown', hearEarly);
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
        <Outlet />
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
    <To to="/" className="mark">
      <Icon name="mark" size={20} />
      <span>{NAME}</span>
    </To>
  );
}

const NAME = 'Turnpike';

/** Another page was opened: whoever goes by keyboard, or has it read out, is at its beginning. */
function useFocusOnArrival(main: { readonly current: HTMLElement | null }): void {
  const { path } = useAddress();
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path, main]);
}
