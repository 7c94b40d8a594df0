import type { Life } from './life.ts';

/** After a violation the browser soon puts its own page into the frame that was meant. */
const SOON_MS = 1_000;

export type Blocking = {
  readonly life: Life;
  readonly window: Window;
  readonly origin: string;
  /** A frame of ours waits for what was sent. */
  readonly isWaiting: () => boolean;
  /** Our own pages may not be framed by this page at all. */
  readonly onOurs: () => void;
  /** The page that was to come into our frame may not. */
  readonly onForeign: () => void;
  /** The page may not send forms to us. */
  readonly onForm: () => void;
};

/** Notices when the page's own policy keeps frames or forms from us. Answers whom to tell when something came into a frame. */
export function watchPolicy({ life, window, origin, isWaiting, onOurs, onForeign, onForm }: Blocking): () => void {
  let callOff: (() => void) | null = null;
  life.listen(window.document, 'securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, disposition } = event as SecurityPolicyViolationEvent;
    if (disposition !== 'enforce') return;
    const isOurs = blockedURI.startsWith(origin);
    if (effectiveDirective === 'form-action' && isOurs) onForm();
    if (effectiveDirective !== 'frame-src') return;
    if (isOurs) onOurs();
    if (!isWaiting()) return;
    // Other parts of the page have frames too: it was ours if the browser's own page turns up in it, or nothing does.
    callOff = life.after(SOON_MS, () => {
      callOff = null;
      if (isWaiting()) onForeign();
    });
  });
  return () => {
    if (callOff === null) return;
    callOff();
    callOff = null;
    onForeign();
  };
}
