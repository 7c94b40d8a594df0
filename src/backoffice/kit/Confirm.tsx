import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Problem } from '../app/problem.ts';
import { problemText } from '../app/problemText.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';

export type ConfirmProps = {
  readonly isOpen: boolean;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** The label of the button, with the amount where there is one: `Refund €10.00`. */
  readonly act: string;
  /** The text that the user must type before an irreversible action. */
  readonly typed?: string;
  readonly isDangerous?: boolean;
  readonly isRunning?: boolean;
  readonly isDisabled?: boolean;
  readonly problem?: Problem | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** A dialog that asks before an action. */
export function Confirm({ isOpen, title, onClose, ...rest }: ConfirmProps): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t.close }}>
      <Question onClose={onClose} {...rest} />
    </Modal>
  );
}

/** It is reset every time it opens, so that text typed for another action does not count. */
function Question(props: Omit<ConfirmProps, 'isOpen' | 'title'>): ReactNode {
  const { children, act, typed, isDangerous = true, isRunning = false, isDisabled = false, problem, onConfirm, onClose } = props;
  const t = useTexts(shellTexts);
  const [text, setText] = useState('');
  const isReady = !isDisabled && (typed === undefined || text.trim() === typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isRunning) onConfirm();
  };
  return (
    <form onSubmit={submit} className="stack">
      <div>{children}</div>
      {typed !== undefined && (
        <TextInput
          label={t.typeToConfirm(typed)}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
      {problem && (
        <p role="alert" className="fault">
          {problemText(problem, t)}
        </p>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button type="submit" color={isDangerous ? 'bad' : 'accent'} disabled={!isReady} loading={isRunning}>
          {act}
        </Button>
      </Group>
    </form>
  );
}
