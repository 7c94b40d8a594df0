import { Button, NativeSelect, NumberInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ScenarioView } from '../../../spec/answers/developer.ts';
import { testCards } from '../../../spec/cards/testCards.ts';
import { DAY_MS, HOUR_MS } from '../../../spec/time.ts';
import { useMay, useMe, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Curl, Json, RawMessage } from '../../kit/Code.tsx';
import { ConfirmButton } from '../../kit/Dialog.tsx';
import { PageHead, Section, Unloaded } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { toolTexts } from '../../texts/developer.ts';
import { useTexts } from '../../texts/texts.ts';
import { attachedTo, ScenarioEditor } from './Scenarios.tsx';

type Line = Readonly<Record<string, string | number>>;

const UNITS = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A length of time in its largest whole unit. */
function spanText(ms: number): string {
  const [unit, size] = UNITS.find(([, one]) => ms >= one && ms % one === 0) ?? ['ms', 1];
  return `${ms / size} ${unit}`;
}

const saidIn = ({ since: _, at: __, who: ___, does, ...rest }: Line): string =>
  [does, ...Object.entries(rest).map(([name, value]) => `${name} ${value}`)].join(' · ');

/** The behaviour of the far sides, one line for each event. */
function ScenarioLog({ log }: { readonly log: string }): ReactNode {
  const t = useTexts(toolTexts);
  const lines = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  return (
    <div className="dev-stack">
      <table className="dev-fields">
        <thead>
          <tr>
            <th scope="col">{t.time}</th>
            <th scope="col">{t.who}</th>
            <th scope="col">{t.action}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the log has an order and never changes
            <tr key={at}>
              <td>{t.after(String(line.since), spanText(Number(line.at)))}</td>
              <td>{line.who}</td>
              <td>{saidIn(line)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <RawMessage value={log} />
    </div>
  );
}

/** One scenario: its story, what happens in it, and what plays it. */
export function Scenario(): ReactNode {
  const t = useTexts(toolTexts);
  const { params } = useAddress();
  const name = params.name ?? '';
  const { entityId } = useScope();
  const { data, error, refetch } = useApiQuery('readScenario', { entityId }, { places: { scenario: name } });
  const back = { to: '/developer/scenarios', label: t.scenarios };
  if (!data) return <Unloaded title={name} back={back} error={error} retry={refetch} />;
  return <Loaded name={name} seen={data} back={back} />;
}

type LoadedProps = {
  readonly name: string;
  readonly seen: ScenarioView;
  readonly back: { readonly to: string; readonly label: string };
};

function Loaded({ name, seen, back }: LoadedProps): ReactNode {
  const t = useTexts(toolTexts);
  const { gatewayUrl } = useMe();
  const { entityId } = useScope();
  const may = useMay('scenarios');
  const [isWriting, setWriting] = useState(false);
  const line = [
    `curl ${gatewayUrl}/v1/payments -H "Authorization: Bearer $ACCESS_TOKEN"`,
    `-d entityId=${entityId} -d amount=92.00 -d currency=EUR -d paymentType=DB -d paymentBrand=VISA`,
    '-d card.number=4200000000000000 -d card.expiryMonth=05 -d card.expiryYear=2034 -d card.cvv=123',
    `-d 'customParameters[SCENARIO]=${name}'`,
  ].join(' \\\n  ');
  return (
    <>
      <PageHead title={name} back={back} says={<span lang="en">{seen.scenario.says}</span>}>
        {may && !seen.isReady && <Remove name={name} />}
        {may && !seen.isReady && (
          <Button variant="default" onClick={() => setWriting(true)}>
            {t.edit}
          </Button>
        )}
      </PageHead>
      <Log name={name} seed={seen.scenario.seed ?? 0} />
      <Section title={t.howTo}>
        <Curl text={line} label={t.howToSay} />
      </Section>
      <ScenarioAttach name={name} />
      <Section title={t.definition}>
        <Json value={seen.scenario} label={t.definition} />
      </Section>
      <ScenarioEditor isOpen={isWriting} onClose={() => setWriting(false)} scenario={seen.scenario} />
    </>
  );
}

function Log({ name, seed: own }: { readonly name: string; readonly seed: number }): ReactNode {
  const t = useTexts(toolTexts);
  const { entityId } = useScope();
  const [seed, setSeed] = useState(own);
  const { data } = useApiQuery('readScenarioLog', { entityId, seed }, { places: { scenario: name } });
  return (
    <Section title={t.events}>
      <div className="dev-stack">
        <p className="muted">{t.logSays}</p>
        <NumberInput
          label={t.seed}
          w={140}
          value={seed}
          min={0}
          allowDecimal={false}
          onChange={(value) => setSeed(typeof value === 'number' ? value : 0)}
        />
        {data && <ScenarioLog log={data.log} />}
      </div>
    </Section>
  );
}

function Remove({ name }: { readonly name: string }): ReactNode {
  const t = useTexts(toolTexts);
  const { entityId } = useScope();
  const { go } = useAddress();
  return (
    <ConfirmButton
      endpoint="removeScenario"
      request={{ values: { entityId }, places: { scenario: name } }}
      label={t.remove}
      says={t.deleted}
      onDone={() => go('/developer/scenarios')}
    >
      {t.removeSure(name)}
    </ConfirmButton>
  );
}

/** Attaches a scenario to payments of the chosen entity, and detaches it. */
function ScenarioAttach({ name }: { readonly name: string }): ReactNode {
  const t = useTexts(toolTexts);
  const { entity, entityId } = useScope();
  const may = useMay('scenarios');
  const [card, setCard] = useState('');
  const { data } = useApiQuery('listScenarios', { entityId });
  const attached = data ? attachedTo(name, data.attached) : [];
  const attach = useApiCommand('attachScenario', { says: t.didAttach });
  const detach = useApiCommand('detachScenario', { says: t.didDetach });
  const about = { values: { entityId, card }, places: { scenario: name } };
  const cards = testCards.map(({ number, brand }) => ({ value: number, label: `${number} ${brand}` }));
  return (
    <Section title={t.attachTitle}>
      <div className="stack">
        <p className="muted">{t.attachSays(entity.name)}</p>
        {attached.length > 0 && (
          <Status tone="accent">
            {`${t.attached}: ${[...new Set(attached)].map((to) => (to === 'all' ? t.attachedAll : t.attachedCard)).join(', ')}`}
          </Status>
        )}
        {may && (
          <div className="dev-row">
            <NativeSelect
              label={t.attachCard}
              data={[{ value: '', label: t.attachEvery }, ...cards]}
              value={card}
              onChange={(event) => setCard(event.currentTarget.value)}
            />
            <Button loading={attach.isRunning} onClick={() => attach.run(about)}>
              {t.attach}
            </Button>
            {attached.length > 0 && (
              <Button variant="default" loading={detach.isRunning} onClick={() => detach.run(about)}>
                {t.detach}
              </Button>
            )}
          </div>
        )}
      </div>
    </Section>
  );
}
