import { Select, TextInput } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { amountOf, amountText } from '../../../money/amount.ts';
import type { ActionDone, PaymentDetail, PossibleAction, UnapprovedLimit } from '../../../spec/answers/payments.ts';
import type { PaymentAction } from '../../../spec/areas/payments.ts';
import { chargeback as reasons } from '../../../spec/resultCodes/accepted.ts';
import type { Right } from '../../../spec/rights.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Confirm } from '../../kit/Dialog.tsx';
import { useMoneyText } from '../../kit/Money.tsx';
import { freshKey, useOnce } from '../../kit/useForm.ts';
import { paymentTexts } from '../../texts/payments.ts';
import { useTexts } from '../../texts/texts.ts';
import { approversText, fourEyesTexts } from '../../texts/users.ts';

type ActionDialogProps = {
  readonly detail: PaymentDetail;
  readonly doing: PossibleAction | null;
  readonly onClose: () => void;
};

/** Asks before money is moved: the amount, and what remains. It is reset every time it opens. */
export function ActionDialog({ doing, ...rest }: ActionDialogProps): ReactNode {
  return doing && <Dialog key={doing.act} doing={doing} {...rest} />;
}

/** The entered amount and what remains. */
function useAmount({ remaining }: PossibleAction) {
  const [text, setText] = useState(remaining);
  const amount = amountOf(text.trim().replace(',', '.'));
  const most = amountOf(remaining) ?? 0n;
  const fault = faultOf(amount, most);
  return { text, setText, amount: amount ?? 0n, fault, sent: amountText(amount ?? 0n), rest: most - (amount ?? 0n) };
}

function Dialog({ detail, doing, onClose }: ActionDialogProps & { readonly doing: PossibleAction }): ReactNode {
  const t = useTexts(paymentTexts);
  const eyes = useTexts(fourEyesTexts);
  const money = useMoneyText();
  const { payment } = detail;
  // The state at the time of opening: the page behind it keeps refreshing.
  const [asked] = useState(doing);
  const { text, setText, amount, fault, sent, rest } = useAmount(asked);
  const [reason, setReason] = useState('');
  const { endpoint, says, isDangerous } = actionRows[asked.act];
  const isDisabled = fault !== null;
  // One idempotency key per action: a retry does not repeat it; another amount is another action.
  const key = useMemo(() => `${sent.length}-${reason.length}-${freshKey()}`, [sent, reason]);
  const doneText = ({ payment: made, approval }: ActionDone) => {
    if (approval) return `${t.asked} ${approversText(eyes, approval.approvers)}`;
    return made?.state === 'open' ? t.doneOpen(t[asked.act]) : t.done(t[asked.act], money(sent, payment.currency));
  };
  const { runAndWait, isRunning, problem } = useApiCommand(endpoint, { says: doneText, onDone: onClose, isQuiet: true });
  const values = { amount: sent, key, ...(reason !== '' && { reason }) };
  const once = useOnce();
  const words = { tooMuch: t.tooMuch(money(asked.remaining, payment.currency)), notAnAmount: t.notAnAmount };
  return (
    <Confirm
      isOpen
      title={t[asked.act]}
      act={isDisabled ? t[asked.act] : t.actAmount(t[asked.act], money(sent, payment.currency))}
      isDangerous={isDangerous}
      isRunning={isRunning}
      isDisabled={isDisabled}
      problem={problem}
      onConfirm={() => once(() => runAndWait({ values, places: { id: payment.id } }))}
      onClose={onClose}
    >
      <div className="stack">
        <p>{t[says]}</p>
        <TextInput
          label={`${t.amount} (${payment.currency})`}
          value={text}
          inputMode="decimal"
          readOnly={asked.isWhole}
          error={fault === null ? null : words[fault]}
          {...(asked.isWhole && { description: t.onlyWhole })}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        {asked.act === 'chargeback' && <Reason value={reason} onChange={setReason} />}
        {asked.act === 'refund' && (
          <TextInput
            label={t.refundReason}
            description={t.refundReasonSays}
            value={reason}
            maxLength={200}
            error={problem?.faults.reason ?? null}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <Sums
          act={asked.act}
          available={asked.remaining}
          amount={isDisabled ? null : sent}
          rest={isDisabled ? null : amountText(rest)}
          currency={payment.currency}
        />
        <Second act={t[asked.act]} limit={asked.limit} amount={amount} currency={payment.currency} />
      </div>
    </Confirm>
  );
}

/** The chargeback reason, if the bank gave one. */
function Reason({ value, onChange }: { readonly value: string; readonly onChange: (reason: string) => void }): ReactNode {
  const t = useTexts(paymentTexts);
  const data = Object.entries(reasons).map(([code, says]) => ({ value: code, label: `${code} ${says}` }));
  return (
    <Select label={t.reason} data={data} value={value || null} onChange={(code) => onChange(code ?? '')} clearable searchable />
  );
}

function faultOf(amount: bigint | undefined, most: bigint): 'tooMuch' | 'notAnAmount' | null {
  if (amount === undefined || amount <= 0n) return 'notAnAmount';
  return amount > most ? 'tooMuch' : null;
}

type SumsProps = {
  readonly act: PaymentAction;
  readonly available: string;
  readonly amount: string | null;
  readonly rest: string | null;
  readonly currency: string;
};

function Sums({ act, available, amount, rest, currency }: SumsProps): ReactNode {
  const t = useTexts(paymentTexts);
  const money = useMoneyText();
  const rows = [
    [t.available, available],
    [t[`this.${act}`], amount],
    [t.remains, rest],
  ] as const;
  return (
    <dl className="payment-sums">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null ? '–' : money(value, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}

type SecondProps = {
  readonly act: string;
  readonly limit: UnapprovedLimit | null;
  readonly amount: bigint;
  readonly currency: string;
};

/** The first approval limit that the amount would exceed; null: none. */
function exceeded({ amount: limit, onPayment, today }: UnapprovedLimit, amount: bigint) {
  const sums = { single: amount, payment: amount + (amountOf(onPayment) ?? 0n), day: amount + (amountOf(today) ?? 0n) };
  const rule = (['single', 'payment', 'day'] as const).find((one) => sums[one] > (amountOf(limit) ?? 0n));
  return rule ? { rule, sum: amountText(sums[rule]) } : null;
}

/** Explains why approval is needed, and who may approve. */
function Second({ act, limit, amount, currency }: SecondProps): ReactNode {
  const t = useTexts(fourEyesTexts);
  const money = useMoneyText();
  const over = limit && exceeded(limit, amount);
  if (!limit || !over) return null;
  return (
    <p className="payment-second">
      {t[`yours.${over.rule}`](act, money(over.sum, currency), money(limit.amount, currency))} {approversText(t, limit.approvers)}
    </p>
  );
}

/** The right and the endpoint of each action. */
export const actionRows = {
  capture: { right: 'capture', endpoint: 'capturePayment', says: 'captureSays', isDangerous: false },
  refund: { right: 'refund', endpoint: 'refundPayment', says: 'refundSays', isDangerous: true },
  reverse: { right: 'reverse', endpoint: 'reversePayment', says: 'reverseSays', isDangerous: true },
  chargeback: { right: 'chargeback', endpoint: 'chargebackPayment', says: 'chargebackSays', isDangerous: true },
  chargebackReversal: { right: 'chargeback', endpoint: 'reverseChargeback', says: 'chargebackReversalSays', isDangerous: true },
} as const satisfies Readonly<Record<PaymentAction, { readonly right: Right; readonly [name: string]: unknown }>>;
