import { Button, Group, MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { CreatedPaymentLink } from '../../../spec/answers/stored.ts';
import { brands } from '../../../spec/cards/brands.ts';
import { type LanguageCode, languageCodes } from '../../../spec/languages.ts';
import { problemText } from '../../app/api.ts';
import { choosable, mayAt, pathOf, useMe, useScope } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Dialog, FormButtons } from '../../kit/Dialog.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { Copyable } from '../../kit/Id.tsx';
import { decimal } from '../../kit/Money.tsx';
import { Facts } from '../../kit/Page.tsx';
import { QrCode } from '../../kit/QrCode.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { type Form, useForm } from '../../kit/useForm.ts';
import { checkoutTexts } from '../../texts/checkouts.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

const DAYS = [1, 3, 7, 14, 30] as const;
const HOURS_A_DAY = 24;

/** The channels below the chosen entity at which the user may create links; a chosen channel alone. */
function useChannels() {
  const me = useMe();
  const { entityId } = useScope();
  return choosable(me).filter(
    ({ id, kind }) => kind === 'channel' && pathOf(me, id).includes(entityId) && mayAt(me, 'paymentLinks', id),
  );
}

/** The button that opens the form; nothing for users without the right or without a channel. */
export function CreateLink(): ReactNode {
  const t = useTexts(checkoutTexts);
  const channels = useChannels();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedPaymentLink | null>(null);
  if (channels.length === 0) return null;
  const close = () => {
    setOpen(false);
    setCreated(null);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.createLink}</Button>
      <Dialog isOpen={isOpen} title={created ? t.linkCreated : t.createLink} onClose={close} size="lg">
        {created ? (
          <Created link={created} onClose={close} />
        ) : (
          <LinkForm channels={channels} onCreated={setCreated} onClose={close} />
        )}
      </Dialog>
    </>
  );
}

function Created({ link, onClose }: { readonly link: CreatedPaymentLink; readonly onClose: () => void }): ReactNode {
  const t = useTexts(checkoutTexts);
  return (
    <div className="stack">
      <Copyable text={link.url} />
      <QrCode text={link.url} label={t.linkQr} />
      <Facts facts={[[t.validUntil, <Timestamp key="until" at={link.expiresAt} hasSeconds />]]} />
      <Group justify="flex-end" gap="xs">
        <Button component="a" href={link.url} target="_blank" rel="noopener noreferrer" variant="default">
          {t.openLink}
        </Button>
        <Button onClick={onClose}>{t.done}</Button>
      </Group>
    </div>
  );
}

type FormProps = {
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  readonly onCreated: (link: CreatedPaymentLink) => void;
  readonly onClose: () => void;
};

const texts = {
  amount: '',
  currency: 'EUR',
  description: '',
  merchantTransactionId: '',
  merchantCustomerId: '',
  givenName: '',
  surname: '',
  email: '',
} as const;

function LinkForm({ channels, onCreated, onClose }: FormProps): ReactNode {
  const t = useTexts(checkoutTexts);
  const shell = useTexts(shellTexts);
  const { run, isRunning, problem } = useApiCommand('createPaymentLink', { onDone: onCreated, isQuiet: true });
  const form = useForm<keyof typeof texts>(texts, problem);
  const [channel, setChannel] = useState(channels[0]?.id ?? '');
  const [terms, setTerms] = useState<LinkTerms>({ days: 3, paymentType: 'DB', brands: [] });
  const [language, setLanguage] = useState<LanguageCode | ''>('');
  const { amount, currency, ...rest } = form.values;
  const isAtField = Object.keys(problem?.faults ?? {}).some((name) => Object.hasOwn(texts, name));
  const submit = form.submit(() =>
    run({
      values: {
        entityId: channel,
        amount: decimal(amount),
        currency: currency.toUpperCase(),
        paymentType: terms.paymentType,
        hours: terms.days * HOURS_A_DAY,
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '')),
        ...(terms.brands.length > 0 && { brands: terms.brands }),
        ...(language !== '' && { language }),
      },
    }),
  );
  return (
    <form onSubmit={submit} className="stack" noValidate>
      <p>{t.linkSays}</p>
      <Select
        label={t.channel}
        data={channels.map(({ id, name }) => ({ value: id, label: name }))}
        value={channel}
        onChange={(id) => id !== null && setChannel(id)}
        allowDeselect={false}
        searchable
        limit={50}
      />
      <Group grow align="flex-start">
        <TextInput label={t.amount} inputMode="decimal" required data-autofocus {...form.field('amount')} />
        <TextInput label={t.currency} maxLength={3} required {...form.field('currency')} />
      </Group>
      <Textarea label={t.description} description={t.descriptionSays} autosize maxRows={3} {...form.field('description')} />
      <TextInput label={t.yourReference} description={t.referenceSays} {...form.field('merchantTransactionId')} />
      <Terms terms={terms} onChange={setTerms} />
      <CustomerFields form={form} language={language} onLanguage={setLanguage} />
      {problem && !isAtField && <Fault>{problemText(problem, shell)}</Fault>}
      <FormButtons act={t.createLink} isRunning={isRunning} onClose={onClose} />
    </form>
  );
}

type LinkTerms = { readonly days: number; readonly paymentType: 'DB' | 'PA'; readonly brands: readonly string[] };
type TermsProps = { readonly terms: LinkTerms; readonly onChange: (terms: LinkTerms) => void };

function Terms({ terms, onChange }: TermsProps): ReactNode {
  const t = useTexts(checkoutTexts);
  return (
    <>
      <Group grow align="flex-start">
        <Select
          label={t.validity}
          data={DAYS.map((count) => ({ value: String(count), label: count === 1 ? t.day : t.days(count) }))}
          value={String(terms.days)}
          onChange={(value) => onChange({ ...terms, days: Number(value ?? terms.days) })}
          allowDeselect={false}
        />
        <Select
          label={t.type}
          data={[
            { value: 'DB', label: t.debit },
            { value: 'PA', label: t.authorize },
          ]}
          value={terms.paymentType}
          onChange={(value) => onChange({ ...terms, paymentType: value === 'PA' ? 'PA' : 'DB' })}
          allowDeselect={false}
        />
      </Group>
      <MultiSelect
        label={t.paymentMethods}
        description={t.brandsSays}
        data={Object.keys(brands)}
        value={[...terms.brands]}
        onChange={(chosen) => onChange({ ...terms, brands: chosen })}
        maxValues={20}
        searchable
        limit={50}
      />
    </>
  );
}

type CustomerProps = {
  readonly form: Form<keyof typeof texts>;
  readonly language: LanguageCode | '';
  readonly onLanguage: (language: LanguageCode | '') => void;
};

function CustomerFields({ form, language, onLanguage }: CustomerProps): ReactNode {
  const t = useTexts(checkoutTexts);
  return (
    <details className="more">
      <summary>{t.customer}</summary>
      <div className="stack">
        <TextInput label={t.customerId} {...form.field('merchantCustomerId')} />
        <Group grow align="flex-start">
          <TextInput label={t.givenName} autoComplete="off" {...form.field('givenName')} />
          <TextInput label={t.surname} autoComplete="off" {...form.field('surname')} />
        </Group>
        <TextInput label={t.email} type="email" autoComplete="off" {...form.field('email')} />
        <Select
          label={t.language}
          data={[
            { value: '', label: t.browserLanguage },
            ...languageCodes.map((code) => ({
              value: code,
              label: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
            })),
          ]}
          value={language}
          onChange={(value) => onLanguage(languageCodes.find((code) => code === value) ?? '')}
          allowDeselect={false}
          searchable
        />
      </div>
    </details>
  );
}
