import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { meQuery } from '../app/me.ts';
import { watch } from '../app/session.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';

const WARNING_MS = 60_000;

type Left = { readonly seconds: number; readonly isForGood: boolean };

function left(): Left | null {
  const ends = watch.ends();
  if (!ends) return null;
  const at = Math.min(ends.idleAt, ends.endsAt);
  return { seconds: Math.max(0, Math.ceil((at - Date.now()) / 1_000)), isForGood: ends.endsAt <= ends.idleAt };
}

/** Warns a minute before the session ends, and offers to stay. */
export function Ending(): ReactNode {
  const t = useTexts(shellTexts);
  const client = useQueryClient();
  const [shown, setShown] = useState<Left | null>(null);
  useEffect(() => {
    const timer = globalThis.setInterval(() => {
      const now = left();
      if (now?.seconds === 0) watch.lost();
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
