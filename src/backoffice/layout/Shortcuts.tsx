import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useAddress } from '../app/navigation.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { useRail } from './useRail.ts';

/** How long the second key of `g p` may take. */
const SECOND_MS = 1_200;

function createToggle() {
  let isOpen = false;
  const listeners = new Set<() => void>();
  return {
    get: () => isOpen,
    set(next: boolean): void {
      isOpen = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const list = createToggle();
export const showShortcuts = (): void => list.set(true);

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName));

/** Listens to the keys, and shows which there are. */
export function Shortcuts(): ReactNode {
  const places = useRail();
  const { go } = useAddress();
  const [isWaiting, setWaiting] = useState(false);
  const timer = useRef(0);
  useEffect(() => {
    const wait = (wants: boolean) => {
      globalThis.clearTimeout(timer.current);
      setWaiting(wants);
      if (wants) timer.current = globalThis.setTimeout(() => setWaiting(false), SECOND_MS);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const place = isWaiting ? places.find(({ key }) => key === event.key) : undefined;
      if (place) go(place.to);
      wait(event.key === 'g' && !isWaiting);
      if (place || isWaiting) return;
      if (event.key === '/') {
        event.preventDefault();
        document.getElementById('search')?.focus();
      }
      if (event.key === '?') list.set(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [places, go, isWaiting]);
  return <ShortcutList />;
}

function ShortcutList(): ReactNode {
  const t = useTexts(shellTexts);
  const places = useRail();
  const isOpen = useSyncExternalStore(list.subscribe, list.get);
  const rows: readonly (readonly [keys: readonly string[], says: string])[] = [
    [['/'], t.searchPayments],
    [['Ctrl K'], t.shortcutPalette],
    [['?'], t.shortcutHelp],
    ...places.map(({ key, label }) => [['g', key], t.shortcutGo(label)] as const),
  ];
  return (
    <Dialog isOpen={isOpen} title={t.shortcuts} onClose={() => list.set(false)}>
      <dl className="shortcuts">
        {rows.map(([keys, says]) => (
          <div key={says}>
            <dt>
              {keys.map((key, at) => (
                <span key={key}>
                  {at > 0 && <span className="shortcut-then">{t.keyThen}</span>}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The palette loads after the page. Its shortcut is remembered until then. */
function createEarlyShortcut() {
  let isLoaded = false;
  let wasPressed = false;
  return {
    onKey(event: KeyboardEvent): void {
      if (isLoaded || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      wasPressed = true;
    },
    /** To be called when the palette is loaded. Returns whether its shortcut was pressed before. */
    loaded(): boolean {
      isLoaded = true;
      return wasPressed;
    },
  };
}

export const earlyShortcut = createEarlyShortcut();
