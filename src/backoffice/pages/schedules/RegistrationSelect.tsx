import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { RegistrationView } from '../../../spec/answers/stored.ts';
import { useScope } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { instrumentText } from '../../kit/PaymentsTable.tsx';
import { scheduleFormTexts } from '../../texts/scheduleForm.ts';
import { useTexts } from '../../texts/texts.ts';

export type ChosenRegistration = Pick<RegistrationView, 'id' | 'entityId' | 'instrument'>;

const PAUSE_MS = 250;
const FOUND_MAX = 20;

/** What a text asks for: an id, the last four, or a part of the holder's name. */
function filterOf(text: string): { readonly id?: string; readonly last4?: string; readonly holder?: string } {
  if (/^[0-9a-f]{32}$/.test(text)) return { id: text };
  if (/^[0-9]{4}$/.test(text)) return { last4: text };
  return /^(?!.*[0-9]{5})[^\p{C}]{2,64}$/u.test(text) ? { holder: text } : {};
}

export const registrationText = ({ instrument }: ChosenRegistration): string =>
  [instrumentText(instrument), instrument.holder].filter((part) => part !== null).join(' · ');

export type RegistrationSelectProps = {
  readonly chosen: ChosenRegistration | null;
  readonly error: string | null;
  readonly onChange: (chosen: ChosenRegistration) => void;
};

/** A stored payment method of the chosen entity; the server looks for it. */
export function RegistrationSelect({ chosen, error, onChange }: RegistrationSelectProps): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const { entityId } = useScope();
  const [typed, setTyped] = useState('');
  const isShown = chosen !== null && typed === registrationText(chosen);
  const [text] = useDebouncedValue(isShown ? '' : typed.trim(), PAUSE_MS);
  const { data } = useApiQuery('listRegistrations', { entityId, state: 'active', limit: FOUND_MAX, ...filterOf(text) });
  const found = data?.registrations ?? [];
  const options = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <Select
      label={t.registration}
      description={t.registrationSays}
      data={options.map((one) => ({ value: one.id, label: registrationText(one) }))}
      value={chosen?.id ?? null}
      onChange={(wanted) => {
        const one = options.find(({ id }) => id === wanted);
        if (one) onChange(one);
      }}
      error={error}
      required
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has matched them.
      filter={({ options: all }) => all}
      nothingFoundMessage={t.noRegistrations}
      allowDeselect={false}
      data-autofocus
    />
  );
}
