import { Alert, Button, Modal, Radio, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, IssuedToken, TokenView } from '../../../spec/answers/account.ts';
import type { Me } from '../../../spec/answers/users.ts';
import { useMe } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Curl } from '../../kit/Curl.tsx';
import { Copyable } from '../../kit/Id.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';
import { Sheet } from './Overview.tsx';
import { useFieldErrors } from './useFieldErrors.ts';

type Shown = { readonly onShow: (issued: IssuedToken) => void; readonly onClose: () => void };

/** One address or block a line; commas and blanks divide them too, as in what is pasted from elsewhere. */
const addressesIn = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((one) => one !== '');

type AddressesProps = { readonly text: string; readonly onChange: (text: string) => void; readonly error: string | undefined };

function AddressesField({ text, onChange, error }: AddressesProps): ReactNode {
  const t = useTexts(administrationTexts);
  return (
    <Textarea
      label={t.allowedAddresses}
      description={t.allowedAddressesSays}
      placeholder="192.0.2.0/24"
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      autoComplete="off"
      classNames={{ input: 'mono' }}
    />
  );
}

/** Issues a first token, or another one. */
export function IssueToken({ account, onShow, onClose }: Shown & { readonly account: AccountView }): ReactNode {
  const t = useTexts(administrationTexts);
  const [name, setName] = useState('');
  const [addresses, setAddresses] = useState('');
  const { run, isRunning, problem } = useApiCommand('issueToken', { onDone: onShow, isQuiet: true });
  const errors = useFieldErrors(problem, ['name', 'allowedAddresses']);
  return (
    <Sheet
      act={t.issue}
      fault={errors.rest}
      isRunning={isRunning}
      isDisabled={name.trim() === ''}
      onConfirm={() => run({ values: { entityId: account.id, name, allowedAddresses: addressesIn(addresses) } })}
      onClose={onClose}
    >
      <p>{t.issueSays(account.name)}</p>
      <TextInput
        label={t.tokenName}
        description={t.tokenNameSays}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.at.name}
        data-autofocus
      />
      <AddressesField text={addresses} onChange={setAddresses} error={errors.at.allowedAddresses} />
    </Sheet>
  );
}

const ends = ['now', '1h', '24h', '7d', 'byHand'] as const;
type End = (typeof ends)[number];

function EndChoice({
  label,
  end,
  choose,
}: {
  readonly label: string;
  readonly end: End;
  readonly choose: (end: End) => void;
}): ReactNode {
  const t = useTexts(administrationTexts);
  return (
    <Radio.Group label={label} value={end} onChange={(value) => choose(value as End)}>
      <div className="choices-column">
        {ends.map((one) => (
          <Radio key={one} value={one} label={t[`end.${one}`]} />
        ))}
      </div>
    </Radio.Group>
  );
}

/** Issues a token in the place of another, which stays good for a while. */
export function RotateToken({ token, onShow, onClose }: Shown & { readonly token: TokenView }): ReactNode {
  const t = useTexts(administrationTexts);
  const [end, setEnd] = useState<End>('24h');
  const { run, isRunning, problem } = useApiCommand('rotateToken', { onDone: onShow, isQuiet: true });
  const errors = useFieldErrors(problem, []);
  return (
    <Sheet
      act={t.rotate}
      fault={errors.rest}
      isRunning={isRunning}
      onConfirm={() => run({ places: { id: token.id }, values: { end } })}
      onClose={onClose}
    >
      <p>{t.rotateSays}</p>
      <EndChoice label={t.oldEnds} end={end} choose={setEnd} />
    </Sheet>
  );
}

/** Sets where a token is accepted from. */
export function TokenAddresses({ token, onClose }: { readonly token: TokenView; readonly onClose: () => void }): ReactNode {
  const t = useTexts(administrationTexts);
  const [addresses, setAddresses] = useState(token.allowedAddresses.join('\n'));
  const { run, isRunning, problem } = useApiCommand('setTokenAddresses', {
    says: t.setAddressesDone,
    onDone: onClose,
    isQuiet: true,
  });
  const errors = useFieldErrors(problem, ['allowedAddresses']);
  return (
    <Sheet
      act={t.setAddresses}
      fault={errors.rest}
      isRunning={isRunning}
      onConfirm={() => run({ places: { id: token.id }, values: { allowedAddresses: addressesIn(addresses) } })}
      onClose={onClose}
    >
      <p>{t.setAddressesSays}</p>
      <AddressesField text={addresses} onChange={setAddresses} error={errors.at.allowedAddresses} />
    </Sheet>
  );
}

/** Ends a token, now or later. */
export function EndToken({ token, onClose }: { readonly token: TokenView; readonly onClose: () => void }): ReactNode {
  const t = useTexts(administrationTexts);
  const [end, setEnd] = useState<End>('now');
  const { run, isRunning, problem } = useApiCommand('endToken', { says: t.endDone, onDone: onClose, isQuiet: true });
  const errors = useFieldErrors(problem, []);
  return (
    <Sheet
      act={t.end}
      fault={errors.rest}
      isRunning={isRunning}
      isDangerous
      onConfirm={() => run({ places: { id: token.id }, values: { end } })}
      onClose={onClose}
    >
      <p>{t.endSays}</p>
      <EndChoice label={t.endWhen} end={end} choose={setEnd} />
    </Sheet>
  );
}

/** A first request by the token: in the test environment a payment, elsewhere a question that finds nothing. */
const curlOf = ({ gatewayUrl, environment }: Me, { id, kind }: AccountView, token: string): string => {
  const head = `-H "Authorization: Bearer ${token}"`;
  const isTried = environment === 'test' && (kind === 'merchant' || kind === 'channel');
  if (!isTried) return `curl "${gatewayUrl}/v1/query?entityId=${id}&merchantTransactionId=none" \\\n  ${head}`;
  const fields = { entityId: id, amount: '1.00', currency: 'EUR', paymentType: 'PA', paymentBrand: 'VISA' };
  const card = { number: '4200000000000000', expiryMonth: '12', expiryYear: '2034', cvv: '123' };
  const all = [...Object.entries(fields), ...Object.entries(card).map(([name, value]) => [`card.${name}`, value] as const)];
  return [`curl ${gatewayUrl}/v1/payments`, head, ...all.map(([name, value]) => `-d "${name}=${value}"`)].join(' \\\n  ');
};

type ShownProps = { readonly account: AccountView; readonly shown: IssuedToken | null; readonly onClose: () => void };

/** The only moment at which a token is seen: it closes by its button alone. */
export function ShownToken({ account, shown, onClose }: ShownProps): ReactNode {
  const t = useTexts(administrationTexts);
  const me = useMe();
  return (
    <Modal
      opened={shown !== null}
      onClose={onClose}
      title={t.shown}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      {shown && (
        <div className="stack once">
          <Alert color="warn" variant="light">
            {t.shownWarning}
          </Alert>
          <Copyable text={shown.token} />
          <Curl text={curlOf(me, account, shown.token)} label={t.tryIt} />
          <Button onClick={onClose}>{t.kept}</Button>
        </div>
      )}
    </Modal>
  );
}
