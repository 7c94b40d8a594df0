import type { ReactNode } from 'react';
import { RawMessage } from '../../kit/Json.tsx';
import { toolTexts } from '../../texts/developerTools.ts';
import { useTexts } from '../../texts/texts.ts';

type Line = Readonly<Record<string, string | number>>;

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
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

/** What the far sides do, one line for each event. */
export function ScenarioLog({ log }: { readonly log: string }): ReactNode {
  const t = useTexts(toolTexts);
  const lines = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  return (
    <div className="dev-stack">
      <table className="dev-fields">
        <thead>
          <tr>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.who}</th>
            <th scope="col">{t.event}</th>
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
