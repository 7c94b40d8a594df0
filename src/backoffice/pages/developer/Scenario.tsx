import { Button, NumberInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SeenScenario } from '../../../spec/answers/developer.ts';
import { useAddress } from '../../app/address.ts';
import { useMay, useMe, useScope } from '../../app/me.ts';
import { useAct, useAsk } from '../../app/useAsk.ts';
import { Confirm } from '../../kit/Confirm.tsx';
import { Curl } from '../../kit/Curl.tsx';
import { Trouble } from '../../kit/Empty.tsx';
import { Section } from '../../kit/Facts.tsx';
import { Json } from '../../kit/Json.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { toolTexts } from '../../texts/developerTools.ts';
import { useTexts } from '../../texts/texts.ts';
import { ScenarioAttach } from './ScenarioAttach.tsx';
import { ScenarioEditor } from './ScenarioEditor.tsx';
import { ScenarioLog } from './ScenarioLog.tsx';

/** One scenario: its story, what happens in it, and what plays it. */
export function Scenario(): ReactNode {
  const t = useTexts(toolTexts);
  const { params } = useAddress();
  const name = params.name ?? '';
  const { entityId } = useScope();
  const { data, error, refetch } = useAsk('readScenario', { entityId }, { places: { scenario: name } });
  const back = { to: '/developer/scenarios', label: t.scenarios };
  if (!data) {
    return (
      <>
        <PageHead title={name} back={back} />
        {error && <Trouble problem={error} retry={() => void refetch()} />}
      </>
    );
  }
  return <Loaded name={name} seen={data} back={back} />;
}

type LoadedProps = {
  readonly name: string;
  readonly seen: SeenScenario;
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
  const { data } = useAsk('readScenarioLog', { entityId, seed }, { places: { scenario: name } });
  return (
    <Section title={t.log}>
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
  const [isAsked, setAsked] = useState(false);
  const onDone = () => go('/developer/scenarios');
  const { run, isRunning, problem } = useAct('removeScenario', { says: t.removed, onDone, isQuiet: true });
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t.remove}
      </Button>
      <Confirm
        isOpen={isAsked}
        title={t.remove}
        act={t.remove}
        isRunning={isRunning}
        problem={problem}
        onAct={() => run({ values: { entityId }, places: { scenario: name } })}
        onClose={() => setAsked(false)}
      >
        {t.removeSure(name)}
      </Confirm>
    </>
  );
}
