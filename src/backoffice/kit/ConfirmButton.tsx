import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { type CommandOptions, type CommandRequest, useApiCommand } from '../app/useApi.ts';
import { Confirm, type ConfirmProps } from './Confirm.tsx';

type CommandProps<Name extends AdminEndpointName> = Pick<ConfirmProps, 'typed' | 'isDangerous' | 'children'> &
  Pick<CommandOptions<Name>, 'says' | 'onDone'> & {
    readonly endpoint: Name;
    readonly request: CommandRequest<Name>;
    readonly title?: string;
    /** The label of the button, and of the button that confirms. */
    readonly label: string;
  };

type DialogProps<Name extends AdminEndpointName> = CommandProps<Name> & {
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Asks, calls an endpoint, and shows the result or the problem. The API client asks for a step-up where one is needed. */
export function ConfirmCommand<Name extends AdminEndpointName>(props: DialogProps<Name>): ReactNode {
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
