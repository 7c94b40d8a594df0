import { Popover, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from './icons.tsx';

export type PopItem = {
  readonly key: string;
  readonly label: string;
  readonly onClick: () => void;
  /** It is what holds now. */
  readonly isOn?: boolean;
};

export type PopListProps = {
  /** The accessible name of the list. */
  readonly label: string;
  readonly button: ReactNode;
  readonly buttonClass: string;
  readonly buttonLabel?: string;
  /** Groups stand apart; one may have a heading. */
  readonly groups: readonly { readonly key: string; readonly title?: string; readonly items: readonly PopItem[] }[];
  readonly position?: 'bottom-start' | 'bottom-end';
};

/** A button that opens a short list of things to do. */
export function PopList({ label, button, buttonClass, buttonLabel, groups, position = 'bottom-start' }: PopListProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const choose = (item: PopItem) => {
    setOpen(false);
    item.onClick();
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position={position} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          className={buttonClass}
          onClick={() => setOpen(!isOpen)}
          {...(buttonLabel !== undefined && { 'aria-label': buttonLabel })}
        >
          {button}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} className="pop-list">
        {groups.map(({ key, title, items }) => (
          <div key={key} className="pop-group">
            {title && <div className="pop-title">{title}</div>}
            {items.map((item) => (
              <UnstyledButton key={item.key} className="pop-item" onClick={() => choose(item)}>
                {item.label}
                {item.isOn && <Icon name="check" size={14} />}
              </UnstyledButton>
            ))}
          </div>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
