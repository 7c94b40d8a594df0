import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react';
import { type AnswerOf, callApi, isProblem, problemText } from '../app/api.ts';
import { hasPasskeys, stepUpWithPasskey } from '../app/passkey.ts';
import { sessionWatch, stepUpRequests } from '../app/session.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';

/** The step-up dialog. Opens when an API call needs it. */
export function StepUp(): ReactNode {
  const t = useTexts(shellTexts);
  const wish = useSyncExternalStore(stepUpRequests.subscribe, stepUpRequests.current);
  return (
    <Modal
      opened={wish !== null}
      onClose={() => wish?.answer(false)}
      title={t.stepUpTitle}
      zIndex={400}
      // The second click of a double click hits the new overlay: it must not close the dialog.
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {wish && <Proof onShown={() => wish.answer(true)} />}
    </Modal>
  );
}

function Proof({ onShown }: { readonly onShown: () => void }): ReactNode {
  const t = useTexts(shellTexts);
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const attempt = (prove: () => Promise<AnswerOf<'stepUp'>>) => {
    setAsking(true);
    setFault(null);
    prove()
      .then(({ steppedUpUntil, now }) => {
        sessionWatch.steppedUp(Date.parse(steppedUpUntil) - Date.parse(now));
        onShown();
      })
      .catch((error: unknown) => setFault(isProblem(error) ? (error.status < 429 ? t.stepUpWrong : problemText(error, t)) : null))
      .finally(() => setAsking(false));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt(() => callApi('stepUp', { code }));
  };
  return (
    <form onSubmit={submit} className="stack">
      <p>{t.stepUpSays}</p>
      <TextInput
        label={t.stepUpCode}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={fault}
        data-autofocus
      />
      <Button type="submit" loading={isAsking} disabled={code.length !== 6}>
        {t.confirm}
      </Button>
      {hasPasskeys() && (
        <Button variant="default" onClick={() => attempt(stepUpWithPasskey)}>
          {t.stepUpPasskey}
        </Button>
      )}
    </form>
  );
}
