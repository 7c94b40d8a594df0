import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { aliases } from '../../../spec/aliases.ts';
import type { WalletTokenView } from '../../../spec/answers/developer.ts';
import { testCards } from '../../../spec/cards/testCards.ts';
import { problemText } from '../../app/api.ts';
import { useScope } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Curl } from '../../kit/Code.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { Copyable } from '../../kit/Id.tsx';
import { Facts, PageHead, Section } from '../../kit/Page.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useForm } from '../../kit/useForm.ts';
import { toolTexts } from '../../texts/developer.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

type Words = (typeof toolTexts)['en'];

const faultWords = {
  expired: 'faultExpired',
  tampered: 'faultTampered',
  otherMerchant: 'faultOtherMerchant',
  untrusted: 'faultUntrusted',
  unknownKey: 'faultUnknownKey',
  unsupported: 'faultUnsupported',
  malformed: 'faultMalformed',
} as const satisfies Readonly<Record<string, keyof Words>>;

const wallets = Object.entries(aliases.wallets).map(([alias, value]) => ({ value, label: `${value} (${alias})` }));

/** The wallet that was chosen in the form. */
const walletOf = (chosen: string) => wallets.find(({ value }) => value === chosen)?.value ?? 'walletA';

const wordOf = (t: Words, fault: string): string =>
  Object.hasOwn(faultWords, fault) ? t[faultWords[fault as 'expired']] : fault;

/** Makes tokens of device wallets. */
export function Wallets(): ReactNode {
  const t = useTexts(toolTexts);
  const shell = useTexts(shellTexts);
  const { entityId } = useScope();
  const { run, isRunning, problem, answer } = useApiCommand('issueWalletToken', { isQuiet: true });
  const form = useForm(
    { wallet: 'walletA', number: testCards[0]?.number ?? '', amount: '92.00', currency: 'EUR', fault: '' },
    problem,
  );
  const faults = Object.keys(faultWords).map((value) => ({ value, label: wordOf(t, value) }));
  return (
    <>
      <PageHead title={t.wallets} says={t.walletsSay} />
      <form
        className="stack"
        onSubmit={form.submit((values) => run({ values: { entityId, ...values, wallet: walletOf(values.wallet) } }))}
      >
        <div className="dev-row">
          <NativeSelect label={t.wallet} data={wallets} {...form.field('wallet')} />
          <NativeSelect
            label={t.testCard}
            data={testCards.map(({ number, brand }) => ({ value: number, label: `${number} ${brand}` }))}
            {...form.field('number')}
          />
          <TextInput label={t.amount} {...form.field('amount')} w={120} />
          <TextInput label={t.currency} {...form.field('currency')} w={100} />
          <NativeSelect label={t.wrong} data={[{ value: '', label: t.nothingWrong }, ...faults]} {...form.field('fault')} />
        </div>
        {problem && <Fault>{problemText(problem, shell)}</Fault>}
        <div>
          <Button type="submit" loading={isRunning}>
            {t.make}
          </Button>
        </div>
      </form>
      {answer && <Made made={answer} />}
    </>
  );
}

function Made({ made }: { readonly made: WalletTokenView }): ReactNode {
  const t = useTexts(toolTexts);
  return (
    <>
      <Section title={t.token}>
        <div className="dev-stack">
          <Facts
            facts={[
              [t.parameter, <code key="parameter">{made.parameter}</code>],
              [t.validUntil, made.validUntil && <Timestamp at={made.validUntil} hasSeconds />],
              [t.refusedBecause, made.refused && wordOf(t, made.refused)],
            ]}
          />
          <Copyable text={made.token} label={t.token} />
        </div>
      </Section>
      <Section title={t.tryIt}>
        <Curl text={made.curl} />
      </Section>
    </>
  );
}
