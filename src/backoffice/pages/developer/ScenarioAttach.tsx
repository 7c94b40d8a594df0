import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { testCards } from '../../../spec/testCards.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useAct, useAsk } from '../../app/useAsk.ts';
import { Section } from '../../kit/Facts.tsx';
import { Status } from '../../kit/Status.tsx';
import { toolTexts } from '../../texts/developerTools.ts';
import { useTexts } from '../../texts/texts.ts';
import { attachedTo } from './Scenarios.tsx';

/** Lets payments of the chosen entity play a scenario without asking, and ends that. */
export function ScenarioAttach({ name }: { readonly name: string }): ReactNode {
  const t = useTexts(toolTexts);
  const { entity, entityId } = useScope();
  const may = useMay('scenarios');
  const [card, setCard] = useState('');
  const { data } = useAsk('listScenarios', { entityId });
  const attached = data ? attachedTo(name, data.attached) : [];
  const attach = useAct('attachScenario', { says: t.didAttach });
  const detach = useAct('detachScenario', { says: t.didDetach });
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
