import type { ReactNode } from 'react';
import type { CheckoutDetail } from '../../../spec/answers/stored.ts';
import { useAddress } from '../../app/address.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import { LoadError } from '../../kit/Empty.tsx';
import { Facts, Section } from '../../kit/Facts.tsx';
import { Copyable, Id } from '../../kit/Id.tsx';
import { useMoneyText } from '../../kit/Money.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { PaymentsTable } from '../../kit/PaymentsTable.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { checkoutTexts } from '../../texts/checkouts.ts';
import { useTexts } from '../../texts/texts.ts';
import { checkoutTones } from './words.ts';

/** One session of the widget, with everything that was tried in it. */
export function CheckoutPage(): ReactNode {
  const t = useTexts(checkoutTexts);
  const moneyText = useMoneyText();
  const { id = '' } = useAddress().params;
  const { entityId } = useScope();
  const mayEnd = useMay('paymentLinks');
  const { data, error, refetch } = useApiQuery('seeCheckout', { entityId }, { places: { id }, everyMs: 5_000 });
  const sum = data && data.amount !== null && data.currency !== null ? moneyText(data.amount, data.currency) : t.one;
  return (
    <>
      <PageHead
        title={sum}
        says={data && <Status tone={checkoutTones[data.state]}>{t[data.state]}</Status>}
        back={{ to: '/checkouts', label: t.title }}
      >
        {data && mayEnd && data.link !== null && data.state === 'open' && (
          <ConfirmButton
            endpoint="endPaymentLink"
            request={{ values: { entityId }, places: { id } }}
            label={t.endLink}
            says={t.linkEnded}
            onDone={() => void refetch()}
            isDangerous
          >
            {t.endLinkSays}
          </ConfirmButton>
        )}
      </PageHead>
      {error && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data && <Detail detail={data} />}
    </>
  );
}

function Detail({ detail }: { readonly detail: CheckoutDetail }): ReactNode {
  const t = useTexts(checkoutTexts);
  return (
    <>
      {detail.link !== null && (
        <Section title={t.link}>
          <Copyable text={detail.link} />
        </Section>
      )}
      <Facts
        facts={[
          [t.id, <Id key="id" id={detail.id} />],
          [t.created, <Timestamp key="created" at={detail.createdAt} hasSeconds />],
          [t.expires, <Timestamp key="expires" at={detail.expiresAt} hasSeconds />],
          [t.type, detail.isRegistering ? t.registering : detail.paymentType],
          [t.reference, detail.merchantTransactionId],
          [t.clicked, detail.clickedAt && <Timestamp key="clicked" at={detail.clickedAt} hasSeconds />],
          [t.asked, detail.askedAt && <Timestamp key="asked" at={detail.askedAt} hasSeconds />],
          [t.shop, detail.shopOrigin],
          [t.gateway, detail.origin],
        ]}
      />
      <Section title={t.tried}>
        <PaymentsTable name="attempts" label={t.tried} rows={detail.tried} empty={t.noneTried} />
      </Section>
      <Section title={t.fields}>
        <Facts facts={detail.fields.map(({ name, value }) => [name, value] as const)} />
      </Section>
    </>
  );
}
