/** The flags and variables with which the gateway is started. */
export const startFlags: readonly string[];
export const startEnv: Readonly<Record<string, string>>;

/** How a process of the gateway ended. `isAsked`: by a signal to the supervisor. */
type End = { readonly code: number | null; readonly signal: string | null; readonly isAsked: boolean };

export function supervise(parts: {
  run(): Promise<End>;
  /** Resolves to true when the end was requested meanwhile. */
  sleep(ms: number): Promise<boolean>;
  now(): number;
  log(line: string): void;
}): Promise<number>;
