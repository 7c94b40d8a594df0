import { Button } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';

type Drop = Pick<ComponentProps<typeof ConfirmButton>, 'endpoint' | 'request'> & { readonly says: string };

type Props = {
  /** The name for buttons and windows. */
  readonly label: string;
  readonly title: ReactNode;
  readonly value: string;
  /** When and how it was set. */
  readonly source: ReactNode;
  readonly isSet: boolean;
  readonly may: boolean;
  readonly onSet: () => void;
  readonly drop: Drop;
};

/** One sealed secret: whether it is set, and buttons to set and delete it. It is never shown. */
export function SecretRow({ label, title, value, source, isSet, may, onSet, drop }: Props): ReactNode {
  const t = useTexts(administrationTexts);
  return (
    <div className="setting" data-own={isSet || undefined}>
      <dt>{title}</dt>
      <dd>
        <span className="setting-value">{value}</span>
        <span className="setting-source">{source}</span>
      </dd>
      <dd className="setting-act">
        {may && (
          <Button variant="subtle" size="compact-sm" onClick={onSet} aria-label={`${t.setSecret}: ${label}`}>
            {t.setSecret}
          </Button>
        )}
        {may && isSet && (
          <ConfirmButton
            endpoint={drop.endpoint}
            request={drop.request}
            title={label}
            label={t.dropSecret}
            ariaLabel={`${t.dropSecret}: ${label}`}
            variant="subtle"
            size="compact-sm"
            color="bad"
            says={t.secretDropped}
          >
            {drop.says}
          </ConfirmButton>
        )}
      </dd>
    </div>
  );
}
