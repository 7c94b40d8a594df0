import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../kit/icons.tsx';
import { routingTexts } from '../../texts/routing.ts';
import { useTexts } from '../../texts/texts.ts';

type MoveProps = {
  /** What is moved, for screen readers. */
  readonly what: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: -1 | 1) => void;
};

/** Up and down. At an end the button stays and does nothing, so that the focus stays too. */
export function MoveButtons({ what, isFirst, isLast, onMove }: MoveProps): ReactNode {
  const t = useTexts(routingTexts);
  return (
    <>
      <UnstyledButton className="copy" aria-label={t.upOf(what)} aria-disabled={isFirst} onClick={() => !isFirst && onMove(-1)}>
        <Icon name="up" size={14} />
      </UnstyledButton>
      <UnstyledButton className="copy" aria-label={t.downOf(what)} aria-disabled={isLast} onClick={() => !isLast && onMove(1)}>
        <Icon name="down" size={14} />
      </UnstyledButton>
    </>
  );
}
