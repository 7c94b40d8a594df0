import { TextInput, type TextInputProps, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAddress } from '../../app/address.ts';
import { meQuery } from '../../app/me.ts';
import { Icon } from '../../kit/icons.tsx';
import { useTitle } from '../../layout/useTitle.ts';

const NAME = 'Turnpike';

/** The layout of the pages before sign-in. */
export function SignInFrame({
  title,
  says,
  children,
}: {
  readonly title: string;
  readonly says?: string;
  readonly children?: ReactNode;
}) {
  useTitle(title);
  return (
    <main className="sign-in">
      <div className="sign-in-mark">
        <Icon name="mark" size={24} />
        {NAME}
      </div>
      <div className="sign-in-card">
        <Title order={1}>{title}</Title>
        {says && <p className="muted">{says}</p>}
        {children}
      </div>
    </main>
  );
}

/** The 6-digit code of an authenticator app. */
export function CodeField({
  value,
  onCode,
  ...more
}: { readonly value: string; readonly onCode: (code: string) => void } & Omit<TextInputProps, 'value' | 'onChange'>): ReactNode {
  return (
    <TextInput
      {...more}
      value={value}
      onChange={(event) => onCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
      inputMode="numeric"
      autoComplete="one-time-code"
      classNames={{ input: 'code-field' }}
    />
  );
}

/** Whether an address is a path of the back office, not another site. */
const isOwn = (address: string): boolean => /^\/(?![/\\])/.test(address) && !address.startsWith('/sign-in');

/** Loads the session after sign-in and opens the requested page. */
export function useArrival(): () => Promise<void> {
  const client = useQueryClient();
  const { search, open } = useAddress();
  const { back = '/' } = search;
  return async () => {
    client.clear();
    await client.fetchQuery(meQuery);
    open(isOwn(back) ? back : '/');
  };
}
