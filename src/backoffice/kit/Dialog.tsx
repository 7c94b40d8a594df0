import { Button, type ButtonProps, Drawer, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { type Problem, problemText } from '../app/api.ts';
import { type CommandOptions, type CommandRequest, useApiCommand } from '../app/useApi.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { Fault } from './Empty.tsx';

type DialogProps = {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: 'md' | 'lg';
};

/** A dialog whose content is reset every time it opens. */
export function Dialog({ isOpen, title, onClose, children, size = 'md' }: DialogProps): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t.close }} size={size}>
      {children}
    </Modal>
  );
}

/** A dialog that shows something only once, such as a new key, so only its own button closes it. */
export function OnceDialog({ isOpen, title, onClose, children, size = 'md' }: DialogProps): ReactNode {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size={size}
    >
      {children}
    </Modal>
  );
}

/** The details of a row, at the right side of its list. */
export function DetailDrawer({ isOpen, title, onClose, children, size = 'lg' }: DialogProps): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={size}
      title={title}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {children}
    </Drawer>
  );
}

type FormButtonsProps = {
  /** The label of the button that submits. */
  readonly act: string;
  readonly isRunning: boolean;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
};

/** The buttons of a form in a dialog: cancel and submit. */
export function FormButtons({ act, isRunning, isDisabled = false, isDangerous = false, onClose }: FormButtonsProps): ReactNode {
  const t = useTexts(shellTexts);
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose}>
        {t.cancel}
      </Button>
      <Button type="submit" loading={isRunning} disabled={isDisabled} color={isDangerous ? 'bad' : 'accent'}>
        {act}
      </Button>
    </Group>
  );
}

type DialogFormProps = FormButtonsProps & {
  readonly children: ReactNode;
  readonly fault: string | null;
  readonly onConfirm: () => void;
  /** Another action, on the left. */
  readonly beside?: ReactNode;
};

/** The form of a dialog: its fields, the error that belongs to none of them, and the buttons to submit or cancel. */
export function DialogForm({ children, fault, onConfirm, beside, ...buttons }: DialogFormProps): ReactNode {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!buttons.isRunning && !buttons.isDisabled) onConfirm();
  };
  return (
    <form onSubmit={submit} className="stack" noValidate>
      {children}
      {fault !== null && <Fault>{fault}</Fault>}
      {beside ? (
        <Group justify="space-between" gap="xs">
          {beside}
          <FormButtons {...buttons} />
        </Group>
      ) : (
        <FormButtons {...buttons} />
      )}
    </form>
  );
}

type ConfirmProps = {
  readonly isOpen: boolean;
  readonly title: string;
  /** Says what will happen. */
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
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose}>
      <Question onClose={onClose} {...rest} />
    </Dialog>
  );
}

/** It is reset every time it opens, so that text typed for another action does not count. */
function Question(props: Omit<ConfirmProps, 'isOpen' | 'title'>): ReactNode {
  const { children, typed, isDangerous = true, isRunning = false, isDisabled = false, problem, ...rest } = props;
  const t = useTexts(shellTexts);
  const [text, setText] = useState('');
  const isReady = !isDisabled && (typed === undefined || text.trim() === typed);
  return (
    <DialogForm
      fault={problem ? problemText(problem, t) : null}
      isRunning={isRunning}
      isDisabled={!isReady}
      isDangerous={isDangerous}
      {...rest}
    >
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
    </DialogForm>
  );
}

type CommandProps<Name extends AdminEndpointName> = Pick<ConfirmProps, 'typed' | 'isDangerous' | 'children'> &
  Pick<CommandOptions<Name>, 'says' | 'onDone'> & {
    readonly endpoint: Name;
    readonly request: CommandRequest<Name>;
    readonly title?: string;
    /** The label of the button, and of the button that confirms. */
    readonly label: string;
  };

type CommandDialogProps<Name extends AdminEndpointName> = CommandProps<Name> & {
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Asks, calls an endpoint, and shows the result or the problem. The API client asks for a step-up where one is needed. */
export function ConfirmCommand<Name extends AdminEndpointName>(props: CommandDialogProps<Name>): ReactNode {
  const { endpoint, request, title, label, says, onDone, isOpen, onClose, ...rest } = props;
  const { run, isRunning, problem, reset } = useApiCommand(endpoint, {
    ...(says !== undefined && { says }),
    isQuiet: true,
    onDone: (answer) => {
      onClose();
      onDone?.(answer);
    },
  });
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Confirm
      isOpen={isOpen}
      title={title ?? label}
      act={label}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => run(request)}
      onClose={close}
      {...rest}
    />
  );
}

type ConfirmButtonProps<Name extends AdminEndpointName> = CommandProps<Name> & {
  readonly variant?: ButtonProps['variant'];
  readonly size?: ButtonProps['size'];
  readonly color?: ButtonProps['color'];
  /** The accessible name where the label alone is ambiguous. */
  readonly ariaLabel?: string;
};

/** A button that asks before it calls an endpoint. */
export function ConfirmButton<Name extends AdminEndpointName>(props: ConfirmButtonProps<Name>): ReactNode {
  const { variant = 'default', size, color, ariaLabel, ...command } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant={variant}
        {...(size !== undefined && { size })}
        {...(color !== undefined && { color })}
        {...(ariaLabel !== undefined && { 'aria-label': ariaLabel })}
        onClick={() => setOpen(true)}
      >
        {command.label}
      </Button>
      <ConfirmCommand {...(command as CommandProps<Name>)} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
